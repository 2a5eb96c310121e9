/** Tests of commands on machines. */
@NullMarked
package fleet.fleetctl.exec;

import org.jspecify.annotations.NullMarked;

/** Commands on machines, over the connection to the cluster. */
@NullMarked
package fleet.fleetctl.exec;

import org.jspecify.annotations.NullMarked;

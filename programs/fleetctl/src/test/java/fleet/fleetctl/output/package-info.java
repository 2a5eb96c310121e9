/** Tests of the output. */
@NullMarked
package fleet.fleetctl.output;

import org.jspecify.annotations.NullMarked;

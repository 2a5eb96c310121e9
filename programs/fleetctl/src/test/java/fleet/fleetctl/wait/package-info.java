/** Tests of waiting. */
@NullMarked
package fleet.fleetctl.wait;

import org.jspecify.annotations.NullMarked;

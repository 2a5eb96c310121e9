/** Tests of unit arguments. */
@NullMarked
package fleet.fleetctl.unit;

import org.jspecify.annotations.NullMarked;

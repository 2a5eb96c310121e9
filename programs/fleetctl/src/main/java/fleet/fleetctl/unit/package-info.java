/** Unit arguments and where the text of a unit comes from. */
@NullMarked
package fleet.fleetctl.unit;

import org.jspecify.annotations.NullMarked;

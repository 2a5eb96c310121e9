/** Listings in aligned columns. */
@NullMarked
package fleet.fleetctl.table;

import org.jspecify.annotations.NullMarked;

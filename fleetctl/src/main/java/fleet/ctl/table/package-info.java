/** Listings in aligned columns. */
@NullMarked
package fleet.ctl.table;

import org.jspecify.annotations.NullMarked;

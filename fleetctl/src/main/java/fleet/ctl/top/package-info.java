/** What machines and units use, as a table that renews itself. */
@NullMarked
package fleet.ctl.top;

import org.jspecify.annotations.NullMarked;

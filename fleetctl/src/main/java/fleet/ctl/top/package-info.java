/** Resource usage of machines and units, as a table that refreshes itself. */
@NullMarked
package fleet.ctl.top;

import org.jspecify.annotations.NullMarked;

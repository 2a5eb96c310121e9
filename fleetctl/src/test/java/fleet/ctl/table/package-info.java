/** Tests of tables. */
@NullMarked
package fleet.ctl.table;

import org.jspecify.annotations.NullMarked;

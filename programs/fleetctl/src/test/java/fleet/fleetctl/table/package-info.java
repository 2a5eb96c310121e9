/** Tests of tables. */
@NullMarked
package fleet.fleetctl.table;

import org.jspecify.annotations.NullMarked;

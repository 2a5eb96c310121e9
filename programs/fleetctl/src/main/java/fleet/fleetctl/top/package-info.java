/** Resource usage of machines and units, as a table that refreshes itself. */
@NullMarked
package fleet.fleetctl.top;

import org.jspecify.annotations.NullMarked;

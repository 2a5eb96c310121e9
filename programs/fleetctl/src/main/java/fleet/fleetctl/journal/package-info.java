/** The journals of several units, as fleetd merges them: read, resumed and written. */
@NullMarked
package fleet.fleetctl.journal;

import org.jspecify.annotations.NullMarked;

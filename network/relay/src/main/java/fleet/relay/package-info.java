/** The cluster, served by its leader to fleetds that do not lead. */
@NullMarked
package fleet.relay;

import org.jspecify.annotations.NullMarked;

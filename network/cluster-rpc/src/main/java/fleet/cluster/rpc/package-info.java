/** The cluster, served by its leader to fleetds that do not lead. */
@NullMarked
package fleet.cluster.rpc;

import org.jspecify.annotations.NullMarked;

/** Stops units of a machine that the cluster has given up, without fleetd if need be. */
@NullMarked
package fleet.agent.isolation;

import org.jspecify.annotations.NullMarked;

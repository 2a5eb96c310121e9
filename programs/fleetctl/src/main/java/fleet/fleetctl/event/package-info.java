/** The events of the cluster, for people. */
@NullMarked
package fleet.fleetctl.event;

import org.jspecify.annotations.NullMarked;

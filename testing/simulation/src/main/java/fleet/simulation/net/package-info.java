/** The network between simulated machines, for what fleetds say to each other themselves. */
@NullMarked
package fleet.simulation.net;

import org.jspecify.annotations.NullMarked;

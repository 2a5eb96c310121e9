/** A simulated store that machines share, and the network in between. */
@NullMarked
package fleet.simulation.store;

import org.jspecify.annotations.NullMarked;

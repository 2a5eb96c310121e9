/**
 * Bugs, planted one at a time, that a simulation has to find: what watches over it is no use else.
 */
@NullMarked
package fleet.simulation.planted;

import org.jspecify.annotations.NullMarked;

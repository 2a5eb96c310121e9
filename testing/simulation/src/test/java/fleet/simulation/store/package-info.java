@NullMarked
package fleet.simulation.store;

import org.jspecify.annotations.NullMarked;

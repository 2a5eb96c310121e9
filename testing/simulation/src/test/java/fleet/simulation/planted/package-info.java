@NullMarked
package fleet.simulation.planted;

import org.jspecify.annotations.NullMarked;

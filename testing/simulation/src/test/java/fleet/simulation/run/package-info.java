@NullMarked
package fleet.simulation.run;

import org.jspecify.annotations.NullMarked;

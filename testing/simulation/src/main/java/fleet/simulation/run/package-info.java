/** Simulated time, and the processes and threads that live in it. */
@NullMarked
package fleet.simulation.run;

import org.jspecify.annotations.NullMarked;

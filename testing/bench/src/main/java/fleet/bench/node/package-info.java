/** A real machine to measure on: commands timed inside of it, sets of units, what fleetd uses. */
@NullMarked
package fleet.bench.node;

import org.jspecify.annotations.NullMarked;

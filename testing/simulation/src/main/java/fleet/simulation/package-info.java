/**
 * Whole clusters in one thread: the engines and agents that ship, on a clock, a store and a systemd
 * that are simulated, with faults out of a seed, watched by invariants.
 */
@NullMarked
package fleet.simulation;

import org.jspecify.annotations.NullMarked;

/** The daemon's process: start, signals, stop. */
@NullMarked
package fleet.fleetd;

import org.jspecify.annotations.NullMarked;

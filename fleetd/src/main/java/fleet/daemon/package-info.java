/** The daemon's process: start, signals, stop. */
@NullMarked
package fleet.daemon;

import org.jspecify.annotations.NullMarked;

/** Thousands of machines in one process: real agents, each above a simulated systemd. */
@NullMarked
package fleet.hollow;

import org.jspecify.annotations.NullMarked;

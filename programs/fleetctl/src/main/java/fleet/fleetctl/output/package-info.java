/** Output for the user: lines, problems, and progress on a terminal. */
@NullMarked
package fleet.fleetctl.output;

import org.jspecify.annotations.NullMarked;

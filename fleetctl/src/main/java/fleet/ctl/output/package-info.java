/** Output for the user: lines, problems, and progress on a terminal. */
@NullMarked
package fleet.ctl.output;

import org.jspecify.annotations.NullMarked;

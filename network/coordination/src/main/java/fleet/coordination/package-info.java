/** The words between engine and agents: presence, schedule down, states up, questions. */
@NullMarked
package fleet.coordination;

import org.jspecify.annotations.NullMarked;

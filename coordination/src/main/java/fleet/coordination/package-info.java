/** What engine and agents tell each other: presence, schedule down, states up, questions. */
@NullMarked
package fleet.coordination;

import org.jspecify.annotations.NullMarked;

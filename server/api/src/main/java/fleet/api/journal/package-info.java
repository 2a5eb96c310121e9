/** The journals of several units on several machines as one, in order of time. */
@NullMarked
package fleet.api.journal;

import org.jspecify.annotations.NullMarked;

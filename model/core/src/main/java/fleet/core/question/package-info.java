/** Questions put to one machine, answered as a stream. */
@NullMarked
package fleet.core.question;

import org.jspecify.annotations.NullMarked;

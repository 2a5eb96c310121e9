/** Which machine runs which unit, cut per machine. */
@NullMarked
package fleet.core.schedule;

import org.jspecify.annotations.NullMarked;

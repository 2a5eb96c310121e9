/** The requirements on machines that a unit's {@code [X-Fleet]} section states. */
@NullMarked
package fleet.core.requirements;

import org.jspecify.annotations.NullMarked;

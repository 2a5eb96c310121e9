/** What the {@code [X-Fleet]} section of a unit asks of a machine. */
@NullMarked
package fleet.core.requirements;

import org.jspecify.annotations.NullMarked;

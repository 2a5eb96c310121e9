/** Units that are offered to machines, and what those answer. */
@NullMarked
package fleet.core.offer;

import org.jspecify.annotations.NullMarked;

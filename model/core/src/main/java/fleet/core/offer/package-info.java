/** Units that are offered to machines, and their answers. */
@NullMarked
package fleet.core.offer;

import org.jspecify.annotations.NullMarked;

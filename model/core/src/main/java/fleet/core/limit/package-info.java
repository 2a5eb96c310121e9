/** How much one that is not known yet may take of what all share. */
@NullMarked
package fleet.core.limit;

import org.jspecify.annotations.NullMarked;

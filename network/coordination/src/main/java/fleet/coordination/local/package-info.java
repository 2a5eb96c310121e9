/** Coordination of an engine and agents within one process. */
@NullMarked
package fleet.coordination.local;

import org.jspecify.annotations.NullMarked;

/** Machines of the cluster. */
@NullMarked
package fleet.core.machine;

import org.jspecify.annotations.NullMarked;

/** The state of the cluster that users want. */
@NullMarked
package fleet.core.desired;

import org.jspecify.annotations.NullMarked;

/** What users want of the cluster. */
@NullMarked
package fleet.core.desired;

import org.jspecify.annotations.NullMarked;

/** Collections that are the same in any JVM. */
@NullMarked
package fleet.core.collection;

import org.jspecify.annotations.NullMarked;

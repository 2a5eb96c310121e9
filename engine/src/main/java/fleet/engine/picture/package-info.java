/** The leading engine's knowledge of the cluster, kept current delta by delta. */
@NullMarked
package fleet.engine.picture;

import org.jspecify.annotations.NullMarked;

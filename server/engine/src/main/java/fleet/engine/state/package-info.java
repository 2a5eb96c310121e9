/** The leading engine's knowledge of the cluster, kept current delta by delta. */
@NullMarked
package fleet.engine.state;

import org.jspecify.annotations.NullMarked;

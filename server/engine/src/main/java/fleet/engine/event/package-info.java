/** The newest events of the cluster, for those who follow. */
@NullMarked
package fleet.engine.event;

import org.jspecify.annotations.NullMarked;

/** Decides which machine runs which unit, and serves the cluster port. */
@NullMarked
package fleet.engine;

import org.jspecify.annotations.NullMarked;

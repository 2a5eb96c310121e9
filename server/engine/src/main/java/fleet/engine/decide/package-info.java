/** Changes that a unit needs, as a pure comparison of the desired state with the actual one. */
@NullMarked
package fleet.engine.decide;

import org.jspecify.annotations.NullMarked;

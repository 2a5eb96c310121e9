/** What must change about a unit, as a pure comparison of what is wanted with what is. */
@NullMarked
package fleet.engine.decide;

import org.jspecify.annotations.NullMarked;

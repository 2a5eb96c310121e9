@NullMarked
package fleet.engine.decide;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.registry.move;

import org.jspecify.annotations.NullMarked;

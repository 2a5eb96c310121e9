/** A cluster's change from one registry to another. */
@NullMarked
package fleet.registry.move;

import org.jspecify.annotations.NullMarked;

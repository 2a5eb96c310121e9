/** Operations, which go on for longer than a command takes. */
@NullMarked
package fleet.core.operation;

import org.jspecify.annotations.NullMarked;

/** Part of the build: picocli's annotations as code. */
@NullMarked
package fleet.commandspecs;

import org.jspecify.annotations.NullMarked;

/** The form of a backup of the registry: lines of text with a sum over them at the end. */
@NullMarked
package fleet.core.backup;

import org.jspecify.annotations.NullMarked;

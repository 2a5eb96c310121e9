/** Texts that people write. */
@NullMarked
package fleet.core.text;

import org.jspecify.annotations.NullMarked;

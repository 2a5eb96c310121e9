/** What machines use, as they measure it. */
@NullMarked
package fleet.api.usage;

import org.jspecify.annotations.NullMarked;

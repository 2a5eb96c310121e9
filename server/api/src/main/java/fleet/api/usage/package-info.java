/** Resource usage of machines, as they measure it. */
@NullMarked
package fleet.api.usage;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.core.limit;

import org.jspecify.annotations.NullMarked;

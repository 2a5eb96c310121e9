@NullMarked
package fleet.core.unit;

import org.jspecify.annotations.NullMarked;

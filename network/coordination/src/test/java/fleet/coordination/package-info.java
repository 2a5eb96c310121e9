@NullMarked
package fleet.coordination;

import org.jspecify.annotations.NullMarked;

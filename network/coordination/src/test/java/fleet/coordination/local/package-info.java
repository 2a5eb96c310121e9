@NullMarked
package fleet.coordination.local;

import org.jspecify.annotations.NullMarked;

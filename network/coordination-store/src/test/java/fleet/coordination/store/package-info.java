@NullMarked
package fleet.coordination.store;

import org.jspecify.annotations.NullMarked;

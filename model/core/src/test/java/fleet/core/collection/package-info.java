@NullMarked
package fleet.core.collection;

import org.jspecify.annotations.NullMarked;

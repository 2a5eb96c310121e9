@NullMarked
package fleet.engine;

import org.jspecify.annotations.NullMarked;

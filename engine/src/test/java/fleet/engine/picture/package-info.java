@NullMarked
package fleet.engine.picture;

import org.jspecify.annotations.NullMarked;

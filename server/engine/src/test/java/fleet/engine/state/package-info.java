@NullMarked
package fleet.engine.state;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.engine.event;

import org.jspecify.annotations.NullMarked;

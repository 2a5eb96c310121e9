/** Coordination through the store: presence, schedule and states are keys. */
@NullMarked
package fleet.coordination.store;

import org.jspecify.annotations.NullMarked;

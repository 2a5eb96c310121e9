/** How much of the machine's memory fleetd holds: what it needs while it works, little at rest. */
@NullMarked
package fleet.daemon.memory;

import org.jspecify.annotations.NullMarked;

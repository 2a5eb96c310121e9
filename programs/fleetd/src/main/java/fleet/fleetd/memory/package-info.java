/** How much of the machine's memory fleetd holds: what it needs while it works, little at rest. */
@NullMarked
package fleet.fleetd.memory;

import org.jspecify.annotations.NullMarked;

/** The metrics that fleetd serves, and the port through which the other floors record them. */
@NullMarked
package fleet.core.metric;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.fleetctl.event;

import org.jspecify.annotations.NullMarked;

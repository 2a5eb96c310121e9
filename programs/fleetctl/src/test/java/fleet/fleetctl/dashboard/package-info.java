@NullMarked
package fleet.fleetctl.dashboard;

import org.jspecify.annotations.NullMarked;

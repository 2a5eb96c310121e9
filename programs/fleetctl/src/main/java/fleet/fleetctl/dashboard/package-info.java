/** The way of a browser to fleetd, through fleetctl. */
@NullMarked
package fleet.fleetctl.dashboard;

import org.jspecify.annotations.NullMarked;

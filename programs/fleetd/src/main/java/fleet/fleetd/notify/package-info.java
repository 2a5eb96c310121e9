/** Notifications of fleetd to the systemd that started it. */
@NullMarked
package fleet.fleetd.notify;

import org.jspecify.annotations.NullMarked;

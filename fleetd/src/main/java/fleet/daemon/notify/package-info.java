/** Notifications of fleetd to the systemd that started it. */
@NullMarked
package fleet.daemon.notify;

import org.jspecify.annotations.NullMarked;

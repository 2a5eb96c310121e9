/**
 * systemd over D-Bus: through its private socket, or through a bus.
 *
 * <p>A D-Bus client as small as this use of it: connect, call a few methods, hear signals. Most of
 * what a private socket brings is signals of units that are not fleet's; they are dropped by the
 * path in their header, with their body unread.
 */
@NullMarked
package fleet.systemd.dbus;

import org.jspecify.annotations.NullMarked;

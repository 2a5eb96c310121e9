/**
 * Boots real machines for tests: each is a systemd with its own PID 1, D-Bus, journal, disk and
 * network address, in a container over an overlay of this machine's root, or of Debian's.
 */
@NullMarked
package fleet.testkit;

import org.jspecify.annotations.NullMarked;

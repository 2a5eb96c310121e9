/** Makes the systemd of this machine match its schedule. */
@NullMarked
package fleet.agent;

import org.jspecify.annotations.NullMarked;

/** Desired states and what systemd reports. */
@NullMarked
package fleet.core.state;

import org.jspecify.annotations.NullMarked;

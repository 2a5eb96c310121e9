/** systemd as fleet sees it, and the way to it over D-Bus. */
@NullMarked
package fleet.systemd;

import org.jspecify.annotations.NullMarked;

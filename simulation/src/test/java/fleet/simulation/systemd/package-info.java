@NullMarked
package fleet.simulation.systemd;

import org.jspecify.annotations.NullMarked;

/** A systemd without a machine: units, jobs and signals as fleet meets them. */
@NullMarked
package fleet.systemd.simulated;

import org.jspecify.annotations.NullMarked;

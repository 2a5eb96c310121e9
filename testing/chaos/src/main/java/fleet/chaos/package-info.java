/** A cluster of real machines under load and faults, judged by systemd's journals alone. */
@NullMarked
package fleet.chaos;

import org.jspecify.annotations.NullMarked;

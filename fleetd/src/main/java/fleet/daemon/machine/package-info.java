/** Who this machine is. */
@NullMarked
package fleet.daemon.machine;

import org.jspecify.annotations.NullMarked;

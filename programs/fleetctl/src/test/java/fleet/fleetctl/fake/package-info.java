/** A small fake of the daemon, over real sockets. */
@NullMarked
package fleet.fleetctl.fake;

import org.jspecify.annotations.NullMarked;

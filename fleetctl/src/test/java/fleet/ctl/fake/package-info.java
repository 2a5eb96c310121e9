/** A small fake of the daemon, over real sockets. */
@NullMarked
package fleet.ctl.fake;

import org.jspecify.annotations.NullMarked;

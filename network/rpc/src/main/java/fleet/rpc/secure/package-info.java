/** TLS between fleetds, and who is at the other end of a connection. */
@NullMarked
package fleet.rpc.secure;

import org.jspecify.annotations.NullMarked;

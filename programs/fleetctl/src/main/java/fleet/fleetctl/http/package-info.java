/** A small HTTP/1.1 client over unix sockets, TCP and TLS that costs nothing to start. */
@NullMarked
package fleet.fleetctl.http;

import org.jspecify.annotations.NullMarked;

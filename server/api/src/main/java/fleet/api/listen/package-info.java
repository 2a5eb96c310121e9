/** Where the API listens: unix sockets, TCP, and sockets handed over by systemd. */
@NullMarked
package fleet.api.listen;

import org.jspecify.annotations.NullMarked;

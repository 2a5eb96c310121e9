/** The gRPC between fleetds: messages, one port, channels. */
@NullMarked
package fleet.rpc;

import org.jspecify.annotations.NullMarked;

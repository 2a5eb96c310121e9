/** What fleetds say to each other over gRPC: messages, one port, channels. */
@NullMarked
package fleet.rpc;

import org.jspecify.annotations.NullMarked;

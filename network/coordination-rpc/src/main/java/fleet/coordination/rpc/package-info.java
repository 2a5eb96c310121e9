/** Coordination over RPC: each agent holds one stream to the leader. */
@NullMarked
package fleet.coordination.rpc;

import org.jspecify.annotations.NullMarked;

/** How machines become part of the cluster, and stay it, over RPC. */
@NullMarked
package fleet.rpc.enrol;

import org.jspecify.annotations.NullMarked;

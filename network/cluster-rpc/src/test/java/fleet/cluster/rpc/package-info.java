@NullMarked
package fleet.cluster.rpc;

import org.jspecify.annotations.NullMarked;

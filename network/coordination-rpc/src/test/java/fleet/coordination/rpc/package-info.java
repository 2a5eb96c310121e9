@NullMarked
package fleet.coordination.rpc;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.rpc.message;

import org.jspecify.annotations.NullMarked;

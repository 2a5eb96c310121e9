/** Translation between the types of core and the messages that carry them. */
@NullMarked
package fleet.rpc.message;

import org.jspecify.annotations.NullMarked;

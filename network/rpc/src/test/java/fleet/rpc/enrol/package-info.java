@NullMarked
package fleet.rpc.enrol;

import org.jspecify.annotations.NullMarked;

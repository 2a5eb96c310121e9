@NullMarked
package fleet.relay;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.daemon.membership;

import org.jspecify.annotations.NullMarked;

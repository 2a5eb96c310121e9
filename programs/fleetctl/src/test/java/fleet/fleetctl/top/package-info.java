@NullMarked
package fleet.fleetctl.top;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.fleetd.membership;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.fleetctl.reference;

import org.jspecify.annotations.NullMarked;

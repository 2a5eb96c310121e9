@NullMarked
package fleet.fleetctl.client;

import org.jspecify.annotations.NullMarked;

/** The API of fleetd as typed calls. */
@NullMarked
package fleet.fleetctl.client;

import org.jspecify.annotations.NullMarked;

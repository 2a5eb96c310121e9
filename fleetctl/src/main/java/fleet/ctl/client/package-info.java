/** The API of fleetd as typed calls. */
@NullMarked
package fleet.ctl.client;

import org.jspecify.annotations.NullMarked;

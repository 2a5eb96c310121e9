/** Waiting for what was asked to come true. */
@NullMarked
package fleet.fleetctl.wait;

import org.jspecify.annotations.NullMarked;

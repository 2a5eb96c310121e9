/** fleetctl: the command line client of fleet. */
@NullMarked
package fleet.fleetctl;

import org.jspecify.annotations.NullMarked;

/** fleetctl: the command line client of fleet. */
@NullMarked
package fleet.ctl;

import org.jspecify.annotations.NullMarked;

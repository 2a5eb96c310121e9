/** Clusters that units are imported from: fleet 1.0's by its API or by its keys, and others. */
@NullMarked
package fleet.fleetctl.fleet1;

import org.jspecify.annotations.NullMarked;

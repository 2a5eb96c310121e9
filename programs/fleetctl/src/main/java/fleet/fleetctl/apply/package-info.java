/** Compares unit files with a cluster, for {@code apply}. Pure. */
@NullMarked
package fleet.fleetctl.apply;

import org.jspecify.annotations.NullMarked;

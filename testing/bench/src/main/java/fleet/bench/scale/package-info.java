/** Thousands of hollow machines against one fleetd. */
@NullMarked
package fleet.bench.scale;

import org.jspecify.annotations.NullMarked;

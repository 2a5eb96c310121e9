/** This machine: its identity, and facts about it that may change. */
@NullMarked
package fleet.fleetd.machine;

import org.jspecify.annotations.NullMarked;

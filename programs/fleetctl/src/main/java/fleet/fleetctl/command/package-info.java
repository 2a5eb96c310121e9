/** The commands, one class each. */
@NullMarked
package fleet.fleetctl.command;

import org.jspecify.annotations.NullMarked;

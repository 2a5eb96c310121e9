/** Tests of the commands against a fake daemon. */
@NullMarked
package fleet.fleetctl.command;

import org.jspecify.annotations.NullMarked;

/** Tests of the commands against a fake daemon. */
@NullMarked
package fleet.ctl.command;

import org.jspecify.annotations.NullMarked;

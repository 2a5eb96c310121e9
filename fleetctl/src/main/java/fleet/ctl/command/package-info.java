/** The commands, one class each. */
@NullMarked
package fleet.ctl.command;

import org.jspecify.annotations.NullMarked;

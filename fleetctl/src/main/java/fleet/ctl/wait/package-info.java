/** Waiting for what was asked to come true. */
@NullMarked
package fleet.ctl.wait;

import org.jspecify.annotations.NullMarked;

/** Tests of waiting. */
@NullMarked
package fleet.ctl.wait;

import org.jspecify.annotations.NullMarked;

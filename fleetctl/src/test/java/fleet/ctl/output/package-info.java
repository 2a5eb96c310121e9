/** Tests of the output. */
@NullMarked
package fleet.ctl.output;

import org.jspecify.annotations.NullMarked;

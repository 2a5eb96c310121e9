/** Tests of unit arguments. */
@NullMarked
package fleet.ctl.unit;

import org.jspecify.annotations.NullMarked;

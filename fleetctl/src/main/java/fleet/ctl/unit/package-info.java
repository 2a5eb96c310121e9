/** Unit arguments and where the text of a unit comes from. */
@NullMarked
package fleet.ctl.unit;

import org.jspecify.annotations.NullMarked;

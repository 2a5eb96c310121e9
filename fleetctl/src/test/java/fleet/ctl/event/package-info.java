@NullMarked
package fleet.ctl.event;

import org.jspecify.annotations.NullMarked;

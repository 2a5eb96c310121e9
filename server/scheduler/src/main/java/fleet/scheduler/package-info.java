/** Which machine runs which unit, and why: pure functions of a layout of the cluster. */
@NullMarked
package fleet.scheduler;

import org.jspecify.annotations.NullMarked;

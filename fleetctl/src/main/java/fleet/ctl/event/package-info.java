/** The events of the cluster, for people. */
@NullMarked
package fleet.ctl.event;

import org.jspecify.annotations.NullMarked;

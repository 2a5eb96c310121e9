/** The files of the dashboard, which a browser loads. */
@NullMarked
package fleet.dashboard;

import org.jspecify.annotations.NullMarked;

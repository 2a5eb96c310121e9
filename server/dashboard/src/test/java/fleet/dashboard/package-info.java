@NullMarked
package fleet.dashboard;

import org.jspecify.annotations.NullMarked;

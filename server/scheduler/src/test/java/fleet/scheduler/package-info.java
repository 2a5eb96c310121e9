@NullMarked
package fleet.scheduler;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.simulation;

import org.jspecify.annotations.NullMarked;

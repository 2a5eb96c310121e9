/** Unit names, unit files and units: what a user submits. */
@NullMarked
package fleet.core.unit;

import org.jspecify.annotations.NullMarked;

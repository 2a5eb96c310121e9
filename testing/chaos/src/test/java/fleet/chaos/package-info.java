/** Tests of the judge. */
@NullMarked
package fleet.chaos;

import org.jspecify.annotations.NullMarked;

/** Parts that the tests of all modules share. */
@NullMarked
package fleet.core.testing;

import org.jspecify.annotations.NullMarked;

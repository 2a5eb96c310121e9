/** The rules of the project as a whole: who may import whom, habits, documents. */
@NullMarked
package fleet.house;

import org.jspecify.annotations.NullMarked;

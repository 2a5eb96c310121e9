@NullMarked
package fleet.testkit;

import org.jspecify.annotations.NullMarked;

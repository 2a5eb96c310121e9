@NullMarked
package fleet.bench;

import org.jspecify.annotations.NullMarked;

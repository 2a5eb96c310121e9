@NullMarked
package fleet.bench.scale;

import org.jspecify.annotations.NullMarked;

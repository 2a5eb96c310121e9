@NullMarked
package fleet.bench.figure;

import org.jspecify.annotations.NullMarked;

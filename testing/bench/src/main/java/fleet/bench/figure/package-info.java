/** Results of benchmarks: figures, and the statistics that they are made of. */
@NullMarked
package fleet.bench.figure;

import org.jspecify.annotations.NullMarked;

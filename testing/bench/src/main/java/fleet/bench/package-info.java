/** Benchmarks, each run by its name: {@code ./dev bench NAME}. */
@NullMarked
package fleet.bench;

import org.jspecify.annotations.NullMarked;

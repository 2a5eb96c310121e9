@NullMarked
package fleet.bench.node;

import org.jspecify.annotations.NullMarked;

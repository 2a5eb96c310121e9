/** Parts that do no I/O, measured in a process of their own, over and over. */
@NullMarked
package fleet.bench.micro;

import org.jspecify.annotations.NullMarked;

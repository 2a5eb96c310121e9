/** {@code target/fleet} on real machines, as an operator uses it. */
@NullMarked
package fleet.machinetests;

import org.jspecify.annotations.NullMarked;

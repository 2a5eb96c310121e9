/** Faults, in words for people. */
@NullMarked
package fleet.core.fault;

import org.jspecify.annotations.NullMarked;

/** Calls of the C library that the JDK has no other way to. */
@NullMarked
package fleet.fleetd.libc;

import org.jspecify.annotations.NullMarked;

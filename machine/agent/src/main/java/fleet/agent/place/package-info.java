/** Puts units on this machine and takes them away. */
@NullMarked
package fleet.agent.place;

import org.jspecify.annotations.NullMarked;

/** Marks of the units that fleet placed on this machine, kept until the next boot. */
@NullMarked
package fleet.agent.mark;

import org.jspecify.annotations.NullMarked;

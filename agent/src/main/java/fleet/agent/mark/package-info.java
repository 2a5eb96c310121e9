/** What fleet has placed on this machine, remembered until the next boot. */
@NullMarked
package fleet.agent.mark;

import org.jspecify.annotations.NullMarked;

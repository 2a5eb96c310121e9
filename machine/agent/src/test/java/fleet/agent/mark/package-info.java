@NullMarked
package fleet.agent.mark;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.agent.usage;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.agent.isolation;

import org.jspecify.annotations.NullMarked;

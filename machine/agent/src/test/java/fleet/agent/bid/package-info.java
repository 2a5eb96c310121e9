@NullMarked
package fleet.agent.bid;

import org.jspecify.annotations.NullMarked;

@NullMarked
package fleet.agent.place;

import org.jspecify.annotations.NullMarked;

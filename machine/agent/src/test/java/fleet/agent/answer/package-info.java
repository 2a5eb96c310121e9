@NullMarked
package fleet.agent.answer;

import org.jspecify.annotations.NullMarked;

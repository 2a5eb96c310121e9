/** Answers questions about this machine. */
@NullMarked
package fleet.agent.answer;

import org.jspecify.annotations.NullMarked;

/** Tests of commands that people run on this machine. */
@NullMarked
package fleet.agent.exec;

import org.jspecify.annotations.NullMarked;

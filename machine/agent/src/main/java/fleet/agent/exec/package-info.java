/** Commands that people run on this machine, each as a transient unit of systemd. */
@NullMarked
package fleet.agent.exec;

import org.jspecify.annotations.NullMarked;

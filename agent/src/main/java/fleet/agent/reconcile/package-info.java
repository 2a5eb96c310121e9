/** What must change on this machine: pure. */
@NullMarked
package fleet.agent.reconcile;

import org.jspecify.annotations.NullMarked;

/** Pure decisions about changes on this machine. */
@NullMarked
package fleet.agent.reconcile;

import org.jspecify.annotations.NullMarked;

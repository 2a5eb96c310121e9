@NullMarked
package fleet.agent.reconcile;

import org.jspecify.annotations.NullMarked;

/** The membership of this machine in its cluster: its identity, and whom it trusts. */
@NullMarked
package fleet.daemon.membership;

import org.jspecify.annotations.NullMarked;

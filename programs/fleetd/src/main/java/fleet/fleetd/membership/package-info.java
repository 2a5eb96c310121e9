/** The membership of this machine in its cluster: its identity, and whom it trusts. */
@NullMarked
package fleet.fleetd.membership;

import org.jspecify.annotations.NullMarked;

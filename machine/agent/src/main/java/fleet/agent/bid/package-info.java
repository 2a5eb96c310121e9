/** Bids of this machine for units that are offered to it. */
@NullMarked
package fleet.agent.bid;

import org.jspecify.annotations.NullMarked;

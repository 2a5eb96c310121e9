package fleet.scheduler;

import fleet.core.offer.Bid;

/**
 * What a machine has answered to the offer of a unit.
 *
 * @param load how many units were there to stay when it came: what has come since is not in what
 *     the machine measured
 */
record ReceivedBid(Bid bid, int load) {}

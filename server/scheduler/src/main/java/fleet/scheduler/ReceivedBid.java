package fleet.scheduler;

import fleet.core.offer.Bid;

/**
 * A machine's answer to the offer of a unit.
 *
 * @param load how many units were there to stay when it came: the machine did not measure those
 *     that have come since
 */
record ReceivedBid(Bid bid, int load) {}

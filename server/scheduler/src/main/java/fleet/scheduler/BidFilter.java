package fleet.scheduler;

import fleet.core.offer.Bid;
import java.util.List;
import java.util.Optional;

/** The machine has bid for the unit. */
final class BidFilter implements Filter {

  static final String RULE = "Bid";

  /** The last of all rules: only machines that fit are asked for a bid. */
  static final List<Filter> ALONE = List.of(new BidFilter());

  static final Rejection SILENT = new Rejection(RULE, "has not bid", "have not bid", "yet");

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    Optional<Bid> bid = machine.bid(demand.unit()).map(ReceivedBid::bid);
    if (bid.isEmpty()) {
      return Optional.of(SILENT);
    }
    return bid.get() instanceof Bid.Declined declined
        ? Optional.of(new Rejection(RULE, "declines:", "decline:", declined.why()))
        : Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return rejection.equals(SILENT)
        ? "machine " + machine.id() + " bids for it"
        : "machine " + machine.id() + " no longer declines";
  }
}

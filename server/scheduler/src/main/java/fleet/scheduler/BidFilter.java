package fleet.scheduler;

import fleet.core.offer.Bid;
import java.util.List;
import java.util.Optional;

/** The machine has bid for the unit. */
final class BidFilter implements Filter {

  static final String RULE = "Bid";

  /** Stands behind all other rules: only who could have the unit is asked for a bid. */
  static final List<Filter> ALONE = List.of(new BidFilter());

  static final Verdict SILENT = new Verdict(RULE, "has not bid", "have not bid", "yet");

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    Optional<Bid> bid = machine.bid(demand.unit()).map(ReceivedBid::bid);
    if (bid.isEmpty()) {
      return Optional.of(SILENT);
    }
    return bid.get() instanceof Bid.Declined declined
        ? Optional.of(new Verdict(RULE, "declines:", "decline:", declined.why()))
        : Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return verdict.equals(SILENT)
        ? "machine " + machine.id() + " bids for it"
        : "machine " + machine.id() + " no longer declines";
  }
}

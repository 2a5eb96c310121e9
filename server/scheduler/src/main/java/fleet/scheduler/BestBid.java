package fleet.scheduler;

import fleet.core.offer.Bid;
import java.util.List;
import java.util.Optional;

/**
 * Prefers the machine with the best bid, which comes from present measurements; of equals the one
 * with the fewest units. Each unit that came to a machine since its bid counts for one percent,
 * since it was not measured.
 */
public final class BestBid implements Strategy {

  static final String NAME = "bid";

  /** The share of a score for the number of units on a machine. */
  private static final int LOAD_BITS = 32;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int standing(MachineInfo machine) {
    return machine.load();
  }

  @Override
  public boolean isByBids() {
    return true;
  }

  @Override
  public List<Filter> filters() {
    return BidFilter.ALONE;
  }

  @Override
  public long score(Demand demand, MachineInfo machine) {
    return (busy(demand, machine) << LOAD_BITS) + machine.load();
  }

  private static long busy(Demand demand, MachineInfo machine) {
    Optional<ReceivedBid> received = machine.bid(demand.unit());
    return received.isPresent() && received.get().bid() instanceof Bid.Made made
        ? (long) made.busy() + Math.max(0, machine.load() - received.get().load())
        : Integer.MAX_VALUE;
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "best bid of the machines that fit: " + inWords(demand, machine);
  }

  @Override
  public String comparison(Demand demand, MachineInfo machine, MachineInfo best) {
    return "bids " + inWords(demand, machine) + "; " + best.id() + " " + inWords(demand, best);
  }

  private static String inWords(Demand demand, MachineInfo machine) {
    String measured =
        machine
            .bid(demand.unit())
            .map(ReceivedBid::bid)
            .map(bid -> bid instanceof Bid.Made made ? " (" + made.measured() + ")" : "")
            .orElse("");
    return busy(demand, machine) + measured + ", " + machine.loadInWords() + " on it";
  }
}

package fleet.coordination;

import fleet.core.collection.OrderedCopy;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The offers that one machine answers. Belongs to its loop. */
public final class PendingBids {

  private final EventLoop loop;
  private final Answerer answerer;
  private final Consumer<Bid> out;
  private final Map<UnitName, Open> open = new HashMap<>();

  private static final class Open {
    private final Offer offer;
    private @Nullable PendingBid bidding;
    private @Nullable Bid last;

    Open(Offer offer) {
      this.offer = offer;
    }
  }

  /**
   * @param out told each answer, on the loop
   */
  public PendingBids(EventLoop loop, Answerer answerer, Consumer<Bid> out) {
    this.loop = loop;
    this.answerer = answerer;
    this.out = out;
  }

  /** A unit is offered to the machine. A repeated offer replaces the earlier one. */
  public void offered(Offer offer) {
    Open before = open.get(offer.unit());
    if (before != null && before.offer.id().equals(offer.id())) {
      return;
    }
    withdrawn(offer.unit());
    Open answered = new Open(offer);
    open.put(offer.unit(), answered);
    answered.bidding = answerer.bid(offer, bid -> loop.post(() -> answered(answered, bid)));
  }

  private void answered(Open offered, Bid bid) {
    if (open.get(offered.offer.unit()) == offered) {
      offered.last = bid;
      out.accept(bid);
    }
  }

  public void withdrawn(UnitName unit) {
    Open withdrawn = open.remove(unit);
    if (withdrawn != null && withdrawn.bidding != null) {
      withdrawn.bidding.close();
    }
  }

  /** All offers are void. */
  public void end() {
    units().forEach(this::withdrawn);
  }

  /** The units that are offered. */
  public Set<UnitName> units() {
    return OrderedCopy.of(open.keySet());
  }

  /** The last answer to each offer that was answered. */
  public Collection<Bid> bids() {
    return open.values().stream()
        .flatMap(each -> each.last == null ? List.<Bid>of().stream() : List.of(each.last).stream())
        .toList();
  }
}

package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The units that are offered to machines, and what these answer. A unit is offered to suitable
 * machines, a few at a time. Once enough of them have bid, or time is over, the scheduler gets the
 * bids and chooses. An offer stands until the unit has its place, so that a machine may change its
 * answer. Owned by the state thread.
 */
final class OpenOffers {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final WorkQueue queue;
  private final Map<UnitName, Open> open = new HashMap<>();
  private final Set<UnitName> changed = new LinkedHashSet<>();

  /** Bids of machines while another engine leads, by unit and machine. */
  private final Map<UnitName, Map<String, Bid>> overheard = new HashMap<>();

  private Optional<Term> term = Optional.empty();
  private long made;
  private boolean asked;

  /**
   * While this engine leads.
   *
   * @param began the registry's revision by then: an engine that leads again in the term of one
   *     that was killed is not to take an answer to that one's offer for one to its own
   */
  private record Term(long began, EventLoop loop) {}

  /**
   * When bids decide.
   *
   * @param count this many bids decide at once
   * @param time after this, fewer bids decide, then the first one
   * @param machines how many machines are asked at a time
   */
  record Terms(int count, Duration time, int machines) {}

  /** One unit that is offered. */
  static final class Open {

    private final Offer offer;
    private final Set<String> machines = new TreeSet<>();
    private final Set<String> awaited = new HashSet<>();
    private final Map<String, Bid> bids = new HashMap<>();
    private boolean decides;

    private Open(Offer offer) {
      this.offer = offer;
    }

    Offer offer() {
      return offer;
    }

    /** The ids of the machines that may bid. */
    Set<String> machines() {
      return machines;
    }

    private boolean isOf(KnownUnit known) {
      return offer.file().equals(known.unit().file())
          && offer.require().equals(known.unit().require());
    }

    private long count() {
      return bids.values().stream().filter(Bid.Made.class::isInstance).count();
    }
  }

  /** Offers nothing until this engine {@linkplain #lead leads}. */
  OpenOffers(ClusterState cluster, SchedulerState schedulerState, WorkQueue queue) {
    this.cluster = cluster;
    this.schedulerState = schedulerState;
    this.queue = queue;
  }

  /**
   * From now on units are offered, as this engine leads.
   *
   * @param revision up to which the registry is known
   * @param loop that this belongs to
   */
  void lead(long revision, EventLoop loop) {
    term = Optional.of(new Term(revision, loop));
    overheard.keySet().forEach(schedulerState::forgetBids);
    overheard.clear();
  }

  // ---- what the decider wants

  /** A unit is about to be looked at. */
  void looking() {
    asked = false;
  }

  /** A machine is about to be chosen: bids for an earlier place are void. */
  void choosing(UnitName unit) {
    if (!open.containsKey(unit)) {
      schedulerState.forgetBids(unit);
    }
  }

  /** A unit could have a place on some machines if they bid for it. */
  void ask(KnownUnit known, Set<String> mayBid) {
    if (!mayBid.isEmpty()) {
      term.ifPresent(leading -> ask(known, mayBid, leading));
    }
  }

  private void ask(KnownUnit known, Set<String> mayBid, Term leading) {
    asked = true;
    UnitName unit = known.unit().name();
    Open before = open.get(unit);
    if (before != null && before.isOf(known)) {
      widen(before, mayBid, leading.loop());
    } else {
      withdraw(unit);
      schedulerState.forgetBids(unit);
      var begun = new Open(offer(known, leading.began()));
      open.put(unit, begun);
      widen(begun, mayBid, leading.loop());
    }
  }

  private Offer offer(KnownUnit known, long began) {
    made++;
    return new Offer(
        known.unit().name(), began + "-" + made, known.unit().file(), known.unit().require());
  }

  /** If the asked machines decline, others may be asked. */
  private void widen(Open offered, Set<String> mayBid, EventLoop loop) {
    if (!offered.awaited.isEmpty()) {
      return;
    }
    Set<String> others = new TreeSet<>(mayBid);
    others.removeAll(offered.machines);
    Terms terms = ClusterSettings.offers(cluster.config());
    Set<String> next = schedulerState.leastLoaded(others, terms.machines());
    if (next.isEmpty()) {
      return;
    }
    offered.machines.addAll(next);
    offered.awaited.addAll(next);
    changed.add(offered.offer.unit());
    loop.postAfter(terms.time(), () -> timeIsOver(offered, next));
  }

  /**
   * The unit has been looked at; if no machine was asked for bids, none are needed. The bids that
   * decided are kept, to explain the placement.
   */
  void looked(UnitName unit) {
    if (!asked) {
      withdraw(unit);
      if (cluster.units().of(unit).isEmpty()) {
        schedulerState.forgetBids(unit);
      }
    }
  }

  private void withdraw(UnitName unit) {
    if (open.remove(unit) != null) {
      changed.add(unit);
    }
  }

  // ---- what machines answer

  void received(String machine, Bid bid) {
    if (term.isEmpty()) {
      overheard.computeIfAbsent(bid.unit(), _ -> new HashMap<>()).put(machine, bid);
      tell(machine, bid);
      return;
    }
    Open offered = open.get(bid.unit());
    if (offered == null
        || !offered.offer.id().equals(bid.offer())
        || !offered.machines.contains(machine)) {
      return;
    }
    offered.bids.put(machine, bid);
    offered.awaited.remove(machine);
    if (offered.decides) {
      tell(machine, bid);
    } else if (offered.awaited.isEmpty()
        || offered.count() >= ClusterSettings.offers(cluster.config()).count()) {
      decide(offered);
    }
  }

  /** Another engine withdrew an offer. */
  void overheardWithdrawal(UnitName unit) {
    if (overheard.remove(unit) != null) {
      schedulerState.forgetBids(unit);
    }
  }

  /** Bids of the machine may have been heard of before it came. */
  void machineCame(String machine) {
    for (Map<String, Bid> bids : overheard.values()) {
      Bid bid = bids.get(machine);
      if (bid != null) {
        tell(machine, bid);
      }
    }
  }

  private void timeIsOver(Open offered, Set<String> round) {
    if (open.get(offered.offer.unit()) == offered) {
      offered.awaited.removeAll(round);
      decide(offered);
      for (String machine : round) {
        if (offered.machines.contains(machine) && !offered.bids.containsKey(machine)) {
          tell(machine, late(offered.offer));
        }
      }
    }
  }

  /** Counts until the machine does answer. */
  private static Bid late(Offer offer) {
    return new Bid.Declined(offer.unit(), offer.id(), "it has not answered in time");
  }

  void machineGone(String machine) {
    for (Open offered : open.values()) {
      if (offered.machines.remove(machine)) {
        offered.bids.remove(machine);
        if (offered.awaited.remove(machine) && offered.awaited.isEmpty()) {
          decide(offered);
        }
      }
    }
  }

  /** Bids so far count from now on, and so does each that comes later. */
  private void decide(Open offered) {
    if (!offered.decides) {
      offered.decides = true;
      offered.bids.forEach(this::tell);
    }
    queue.touch(offered.offer.unit());
  }

  private void tell(String machine, Bid bid) {
    schedulerState.bid(machine, bid);
    queue.touch(bid.unit());
  }

  // ---- what machines are to be told

  Optional<Open> of(UnitName unit) {
    return Optional.ofNullable(open.get(unit));
  }

  /** A machine came again, and knows no offers. */
  Set<UnitName> offeredTo(String machine) {
    Set<UnitName> units = new HashSet<>();
    for (Open offered : open.values()) {
      if (offered.machines.contains(machine)) {
        units.add(offered.offer.unit());
      }
    }
    return units;
  }

  /** The units whose possible bidders have changed since the last call. */
  Set<UnitName> takeChanged() {
    Set<UnitName> taken = new LinkedHashSet<>(changed);
    changed.clear();
    return taken;
  }
}

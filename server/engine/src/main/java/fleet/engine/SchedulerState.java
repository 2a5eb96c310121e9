package fleet.engine;

import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.offer.Bid;
import fleet.core.operation.Evenness;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.engine.state.UnitIndex;
import fleet.registry.records.ConfigRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.scheduler.ClusterLayout;
import fleet.scheduler.Decision;
import fleet.scheduler.Demand;
import fleet.scheduler.GlobalDemand;
import fleet.scheduler.MachineInfo;
import fleet.scheduler.RebalanceSolver;
import fleet.scheduler.Scheduler;
import fleet.scheduler.Why;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The scheduler's state, kept in step with the engine's, and ahead of it by the reservations of the
 * last decisions. Owned by the state thread.
 */
final class SchedulerState {

  private final ClusterState cluster;
  private final UnitIndex followers = new UnitIndex();
  private final Map<UnitName, Set<String>> followed = new HashMap<>();
  private final Map<UnitName, Set<String>> refused = new HashMap<>();
  private final Map<UnitName, Demand> choosy = new HashMap<>();
  private final Map<UnitName, Demand> demands = new HashMap<>();

  /** The units whose new content a rollout is writing. */
  private final Set<UnitName> replaced = new HashSet<>();

  /** The machines on which room is reserved for units that are being stopped elsewhere. */
  private final Map<UnitName, String> destinations = new HashMap<>();

  private final ClusterLayout layout = new ClusterLayout();
  private Scheduler scheduler;
  private Overcommit overcommit = Overcommit.NONE;

  SchedulerState(ClusterState cluster, Scheduler scheduler) {
    this.cluster = cluster;
    this.scheduler = scheduler;
  }

  // ---- in step with the cluster

  void machine(Machine machine) {
    layout.putMachine(machine);
  }

  void cordon(String machine, boolean cordoned) {
    layout.cordon(machine, cordoned);
  }

  boolean hasMachine(String machine) {
    return layout.machine(machine).isPresent();
  }

  void machineGone(String machine) {
    layout.removeMachine(machine);
  }

  /** Takes over the cluster's settings for the choice of machines and for reservations. */
  void configure(Map<String, ConfigRecord> settings) {
    scheduler = scheduler.withStrategy(ClusterSettings.strategy(settings)).orElse(scheduler);
    Overcommit now = ClusterSettings.overcommit(settings);
    if (!now.equals(overcommit)) {
      overcommit = now;
      layout.overcommit(now);
    }
  }

  /** The overcommit factors for the resources of machines. */
  Overcommit overcommit() {
    return overcommit;
  }

  void follow(UnitName unit) {
    Optional<ScheduledUnit> placed = cluster.schedule().of(unit);
    forgetFollower(unit);
    demands.remove(unit);
    destinations.remove(unit);
    choosy.remove(unit);
    if (placed.isEmpty()) {
      layout.remove(unit);
      return;
    }
    Demand demand = demand(placed.get());
    layout.place(demand.unit(), demand.requirements(), placed.get().machine());
    if (placed.get().record().target() == TargetState.STOPPING) {
      String next = placed.get().record().next();
      layout.move(unit, demand.requirements(), next);
      destinations.put(unit, next);
    }
    demands.put(demand.unit(), demand);
    if (isChoosy(demand)) {
      choosy.put(unit, demand);
    }
    noteFollower(demand);
  }

  /** Whether it matters to the unit what else is on its machine. */
  private static boolean isChoosy(Demand demand) {
    return !demand.requirements().conflicts().isEmpty()
        || !demand.requirements().machineOf().isEmpty();
  }

  void followGlobal(UnitName unit) {
    cluster
        .schedule()
        .global(unit)
        .ifPresentOrElse(
            entry -> layout.putGlobal(demand(unit, entry)), () -> layout.removeGlobal(unit));
  }

  private GlobalDemand demand(UnitName unit, ScheduleEntry entry) {
    GlobalDemand main = GlobalDemand.of(unit, entry.requirements());
    return cluster
        .schedule()
        .globalUpdate(unit)
        .flatMap(other ->
            cluster
                .schedule()
                .globalRecord(unit)
                .flatMap(ScheduleRecord::update)
                .map(update -> main.withUpdate(update.upTo(), other.requirements())))
        .orElse(main);
  }

  /** The demand of a placed unit. */
  Optional<Demand> placed(UnitName unit) {
    return Optional.ofNullable(demands.get(unit));
  }

  /** The machine on which room is reserved for a unit that leaves another, by its entry. */
  Optional<String> destination(UnitName unit) {
    return Optional.ofNullable(destinations.get(unit));
  }

  /** Whether a unit that is placed keeps global units from its machine. */
  boolean decidesAboutGlobals(Demand demand) {
    return layout.globals().stream().anyMatch(demand::conflictsWith);
  }

  /** The global units that may come to where a unit has left room. */
  Set<UnitName> competingGlobals(Demand demand) {
    Set<UnitName> competing = new HashSet<>();
    for (Demand global : layout.globals()) {
      if (global.competesWith(demand)) {
        competing.add(global.unit());
      }
    }
    return competing;
  }

  /** The placed units that a global unit may affect when it comes or goes. */
  Set<UnitName> concernedByGlobal(UnitName unit) {
    return layout.global(unit).stream()
        .flatMap(GlobalDemand::all)
        .flatMap(demand -> concernedBy(demand).stream())
        .collect(Collectors.toSet());
  }

  private Set<UnitName> concernedBy(Demand demand) {
    if (decidesAboutGlobals(demand) || !competingGlobals(demand).isEmpty()) {
      return new HashSet<>(demands.keySet());
    }
    Set<UnitName> concerned = new HashSet<>();
    Map<UnitName, Demand> others = demand.requirements().conflicts().isEmpty() ? choosy : demands;
    others.forEach((name, other) -> {
      if (demand.conflictsWith(other)
          || other.requirements().machineOf().contains(demand.unit().value())) {
        concerned.add(name);
      }
    });
    return concerned;
  }

  private Demand demand(ScheduledUnit placed) {
    return new Demand(placed.entry().unit(), cluster.requirements(placed));
  }

  private void noteFollower(Demand demand) {
    Set<String> peers = OrderedCopy.of(demand.requirements().machineOf());
    if (!peers.isEmpty()) {
      followed.put(demand.unit(), peers);
    }
    peers.forEach(peer -> followers.note(peer, demand.unit()));
  }

  private void forgetFollower(UnitName unit) {
    Set<String> peers = followed.remove(unit);
    if (peers != null) {
      peers.forEach(peer -> followers.forget(peer, unit));
    }
  }

  /** Units that were placed because they must be on the machine of this one. */
  Set<UnitName> followers(UnitName unit) {
    return followers.of(unit.value());
  }

  /** A present machine with its reservations; empty if its record cannot be read. */
  Optional<MachineInfo> layoutOf(String machine) {
    return layout.machine(machine);
  }

  // ---- ahead of it

  void assume(KnownUnit known, String machine) {
    layout.place(known.unit().name(), known.requirements(), machine);
  }

  /** Reserves room at once; a unit that leaves frees its room only when that is written. */
  void assumeGlobal(KnownUnit known) {
    GlobalDemand main = GlobalDemand.of(known.unit().name(), known.requirements());
    layout.putGlobal(
        cluster
            .operations()
            .update(known)
            .map(update ->
                main.withUpdate(update.upTo(), cluster.files().requirements(known, update)))
            .orElse(main));
  }

  /**
   * The present machines on which a global unit applies and that do not refuse it, sorted; also if
   * its present content is not on its way to them yet.
   */
  List<String> runsOn(KnownUnit known) {
    Set<String> refusing = cluster.reports().refusals(known).keySet();
    return appliesOn(known).stream().filter(machine -> !refusing.contains(machine)).toList();
  }

  /** The same, those that refuse it among them. */
  List<String> appliesOn(KnownUnit known) {
    UnitName unit = known.unit().name();
    ClusterLayout asked = layout;
    if (layout
        .global(unit)
        .filter(global -> global.main().requirements().equals(known.requirements()))
        .isEmpty()) {
      asked = layout.fork();
      asked.putGlobal(unit, known.requirements());
    }
    return asked.machines().stream()
        .filter(machine -> machine.globals().applicable().contains(unit))
        .map(MachineInfo::id)
        .toList();
  }

  /** The present machines on which a global unit would apply with these requirements, sorted. */
  Set<String> wouldApplyOn(KnownUnit known, Requirements requirements) {
    Demand demand = new Demand(known.unit().name(), requirements);
    return layout.machines().stream()
        .filter(machine -> machine.wouldApply(demand))
        .map(MachineInfo::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  void assumeLeaving(UnitName unit) {
    layout.leave(unit);
  }

  /** Reserves room for it on its next machine. */
  void assumeMoving(KnownUnit known, String to) {
    layout.move(known.unit().name(), known.requirements(), to);
  }

  void assumeGone(UnitName unit) {
    layout.remove(unit);
  }

  /** Counts a unit as leaving while its new content is written. */
  void assumeReplaced(UnitName unit) {
    replaced.add(unit);
  }

  /** The new content is in the state, or was not written. */
  void replacementEnds(UnitName unit) {
    replaced.remove(unit);
  }

  // ---- bids

  /** A machine answers an offer of a unit. */
  void bid(String machine, Bid bid) {
    layout.bid(machine, bid);
  }

  /** Bids of machines for a unit are void. */
  void forgetBids(UnitName unit) {
    layout.forgetBids(unit);
  }

  /** The machines with the fewest units among some. */
  Set<String> leastLoaded(Set<String> machines, int most) {
    return machines.stream()
        .flatMap(machine -> layout.machine(machine).stream())
        .sorted(Comparator.comparingInt(MachineInfo::load).thenComparing(MachineInfo::id))
        .limit(most)
        .map(MachineInfo::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  // ---- choosing

  Decision choose(KnownUnit known) {
    return scheduler.choose(asking(known), layout);
  }

  /** The next machine of a unit that has to leave its own although it could stay. */
  Decision chooseAsIfUnplaced(KnownUnit known) {
    return scheduler.chooseAsIfUnplaced(asking(known), layout);
  }

  /**
   * A decision for one given machine, with a reason; empty if the machine does not admit the unit.
   */
  Optional<Decision.Placed> chooseOnly(KnownUnit known, String machine, String why) {
    return scheduler.chooseOnly(machine, asking(known), layout, why);
  }

  /** A decision to leave a placed unit on its machine with its new content; empty if it must go. */
  Optional<Decision.Placed> chooseInPlace(KnownUnit known) {
    return scheduler.chooseInPlace(
        asking(known), layout, "it was there before, and its new content fits there too");
  }

  /** The obstacle that keeps a placed unit from going to a machine; empty if there is none. */
  Optional<String> obstacle(KnownUnit known, String machine) {
    return scheduler.obstacle(machine, asking(known), layout);
  }

  /**
   * Finds the moves of a rebalance from the present state.
   *
   * @param movable whether a unit may move, apart from rules and affinities
   */
  RebalanceSolver rebalanceSolver(Predicate<UnitName> movable) {
    return new RebalanceSolver(scheduler, layout.fork(), movable);
  }

  /** How evenly units are spread over machines. */
  Evenness evenness() {
    return RebalanceSolver.evenness(layout);
  }

  /** Whether a unit was told to leave, even if that is not written yet. */
  boolean isLeaving(UnitName unit) {
    return layout.isLeaving(unit) || replaced.contains(unit);
  }

  /** The global units that a machine runs. */
  Set<UnitName> globalsOn(String machine) {
    return layout.machine(machine).map(view -> view.globals().applicable()).orElse(Set.of());
  }

  /** Explains where a unit would go now; for a placed one, by the bids at that time. */
  Why why(KnownUnit known) {
    Demand demand = asking(known);
    boolean bidsAreForgotten =
        cluster.schedule().of(demand.unit()).isPresent() && !layout.hasBids(demand.unit());
    return (bidsAreForgotten ? scheduler.foreseen() : scheduler).why(demand, layout);
  }

  /** Explains where a global unit runs. */
  Why whyGlobal(KnownUnit known) {
    return Scheduler.whyGlobal(known.unit().name(), layout);
  }

  /** Whether a unit could be placed on a machine now. */
  boolean admits(UnitName unit, String machine) {
    return cluster
        .units()
        .of(unit)
        .map(SchedulerState::demand)
        .flatMap(demand -> layout.machine(machine).filter(view -> scheduler.admits(demand, view)))
        .isPresent();
  }

  /** The units that may not stay where they are. */
  Set<UnitName> objections() {
    return scheduler.objections(layout).keySet();
  }

  /** Why a unit may not stay where it is; unknown for a machine whose record cannot be read. */
  Optional<String> unfit(KnownUnit known, String machine) {
    return cluster.judged(machine).isEmpty()
        ? Optional.empty()
        : scheduler.objection(known.unit().name(), layout);
  }

  private static Demand demand(KnownUnit known) {
    return new Demand(known.unit().name(), known.requirements());
  }

  /** The demand of a unit that is to be judged; the layout has its present refusals then. */
  private Demand asking(KnownUnit known) {
    takeOverRefusals(known);
    return demand(known);
  }

  private void takeOverRefusals(KnownUnit known) {
    UnitName unit = known.unit().name();
    Map<String, String> now = cluster.reports().refusals(known);
    Set<String> before = refused.getOrDefault(unit, Set.of());
    before.stream()
        .filter(machine -> !now.containsKey(machine))
        .forEach(machine -> layout.free(machine, unit));
    now.forEach((machine, why) -> layout.refuse(machine, unit, why));
    if (now.isEmpty()) {
      refused.remove(unit);
    } else {
      refused.put(unit, new HashSet<>(now.keySet()));
    }
  }
}

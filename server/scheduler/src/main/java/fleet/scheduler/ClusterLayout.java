package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.offer.Bid;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The machines of the cluster and the units on them: the input of each choice. Changed in place,
 * delta by delta; a change costs no more than a look at one machine's units, except for a global
 * unit, which concerns every machine.
 *
 * <p>Belongs to one thread at a time.
 */
public final class ClusterLayout {

  private final Map<String, MachineInfo> views = new HashMap<>();
  private final NavigableMap<String, MachineInfo> present = new TreeMap<>();
  private final Map<UnitName, MachineInfo> placements = new HashMap<>();

  /** Where units that are leaving come to: they are on the list there already. */
  private final Map<UnitName, MachineInfo> promises = new HashMap<>();

  private final NavigableMap<String, GlobalDemand> globals = new TreeMap<>();
  private final Map<Strategy, Ranking> rankings = new HashMap<>();
  private final Families families = new Families();

  /** By the unit that they bid for. */
  private final Map<UnitName, NavigableMap<String, MachineInfo>> bidders = new HashMap<>();

  private Overcommit overcommit = Overcommit.NONE;

  /** An independent copy to plan on. */
  public ClusterLayout fork() {
    ClusterLayout fork = new ClusterLayout();
    fork.globals.putAll(globals);
    fork.overcommit = overcommit;
    views.forEach((id, view) -> {
      MachineInfo copy = view.fork(fork.globals);
      fork.views.put(id, copy);
      if (copy.isPresent()) {
        fork.present.put(id, copy);
        fork.families.came(copy.staying(), copy);
      }
    });
    placements.forEach((unit, view) -> fork.placements.put(unit, fork.view(view.id())));
    promises.forEach((unit, view) -> fork.promises.put(unit, fork.view(view.id())));
    return fork;
  }

  /** The machines that are there, sorted by their ids. */
  public Collection<MachineInfo> machines() {
    return Collections.unmodifiableCollection(present.values());
  }

  /** The machines that are there in a strategy's order, up to date until this layout changes. */
  Ranking ranking(Strategy strategy) {
    Ranking ranking = rankings.get(strategy);
    if (ranking == null) {
      ranking = new Ranking(strategy);
      present.values().forEach(ranking::changed);
      rankings.put(strategy, ranking);
    }
    ranking.settle();
    return ranking;
  }

  /** The machines that are there and whose ids begin like this. */
  Collection<MachineInfo> machinesNamed(String prefix) {
    return present.subMap(prefix, true, prefix + Character.MAX_VALUE, true).values();
  }

  /**
   * How many instances of a unit's template are on the machines of each value of a metadata; the
   * empty value stands for machines without.
   */
  Map<String, Integer> spread(UnitName unit, String key) {
    return families.spread(unit, key);
  }

  /** All known machines, present or not, in no order. */
  Collection<MachineInfo> views() {
    return views.values();
  }

  /** A machine that is there. */
  public Optional<MachineInfo> machine(String id) {
    return Optional.ofNullable(present.get(id));
  }

  /** A machine came, or its description changed. */
  public void putMachine(Machine machine) {
    MachineInfo view = view(machine.id());
    if (view.isPresent()) {
      families.went(view.staying(), view);
    }
    view.describe(machine);
    families.came(view.staying(), view);
    present.put(machine.id(), view);
    note(view);
  }

  /**
   * A machine went. Its units stay placed on it until they are removed; its refusals and bids are
   * void.
   */
  public void removeMachine(String id) {
    MachineInfo view = present.remove(id);
    if (view != null) {
      families.went(view.staying(), view);
      view.goAbsent();
      note(view);
      forgetIfEmpty(view);
    }
  }

  /** Cordons or uncordons a machine, present or not. Its units stay. */
  public void cordon(String machine, boolean cordoned) {
    MachineInfo view = view(machine);
    view.cordon(cordoned);
    forgetIfEmpty(view);
  }

  /** How much more than they have is promised of all machines. */
  public void overcommit(Overcommit now) {
    overcommit = now;
    for (MachineInfo view : views.values()) {
      view.overcommit(now);
      note(view);
    }
  }

  /**
   * Places a unit, there to stay; one that was placed before, here or elsewhere, is taken from
   * there.
   *
   * @param machine the machine's id; it need not be there yet
   */
  public void place(UnitName unit, Requirements requirements, String machine) {
    takePromise(unit);
    MachineInfo view = view(machine);
    MachineInfo before = placements.put(unit, view);
    if (before != null) {
      takeFrom(before, unit);
    }
    view.put(new Demand(unit, requirements));
    if (view.isPresent()) {
      families.came(unit, view);
    }
    note(view);
    if (before != null && before != view) {
      forgetIfEmpty(before);
    }
  }

  private void takeFrom(MachineInfo view, UnitName unit) {
    if (view.isPresent() && !view.isLeaving(unit)) {
      families.went(unit, view);
    }
    view.remove(unit);
    note(view);
  }

  /**
   * A placed unit was told to leave: it no longer counts as load, and no unit follows it, but
   * conflicting units cannot come before it has left.
   */
  public void leave(UnitName unit) {
    MachineInfo view = placements.get(unit);
    if (view != null) {
      if (view.isPresent() && !view.isLeaving(unit)) {
        families.went(unit, view);
      }
      view.leave(unit);
      note(view);
    }
  }

  /**
   * As {@link #leave}, and what the unit asks for is kept for it on another machine until it is
   * placed or removed. If that machine is not there, or is the same, nothing is kept.
   */
  public void move(UnitName unit, Requirements requirements, String to) {
    leave(unit);
    takePromise(unit);
    MachineInfo view = present.get(to);
    if (view != null && view != placements.get(unit)) {
      promises.put(unit, view);
      view.put(new Demand(unit, requirements));
      families.came(unit, view);
      note(view);
    }
  }

  private void takePromise(UnitName unit) {
    MachineInfo view = promises.remove(unit);
    if (view != null) {
      takeFrom(view, unit);
      forgetIfEmpty(view);
    }
  }

  /** Whether a placed unit was told to go. */
  public boolean isLeaving(UnitName unit) {
    MachineInfo view = placements.get(unit);
    return view != null && view.isLeaving(unit);
  }

  /** A unit has gone from its machine. */
  public void remove(UnitName unit) {
    takePromise(unit);
    MachineInfo view = placements.remove(unit);
    if (view != null) {
      takeFrom(view, unit);
      forgetIfEmpty(view);
    }
  }

  /** The id of the machine that a unit is placed on, whether the machine is there or not. */
  public Optional<String> placement(UnitName unit) {
    return Optional.ofNullable(placements.get(unit)).map(MachineInfo::id);
  }

  /** Runs something on the layout as if a unit were on no machine. */
  <T> T without(UnitName unit, Supplier<T> look) {
    MachineInfo view = placements.get(unit);
    Demand demand = view == null ? null : view.demand(unit);
    if (view == null || demand == null) {
      return look.get();
    }
    boolean leaving = view.isLeaving(unit);
    MachineInfo promised = promises.get(unit);
    remove(unit);
    try {
      return look.get();
    } finally {
      place(unit, demand.requirements(), view.id());
      if (promised != null) {
        move(unit, demand.requirements(), promised.id());
      } else if (leaving) {
        leave(unit);
      }
    }
  }

  /** A global unit came, or asks for something else. */
  public void putGlobal(UnitName unit, Requirements requirements) {
    putGlobal(GlobalDemand.of(unit, requirements));
  }

  /** The same for one that may be in a rollout. */
  public void putGlobal(GlobalDemand global) {
    globals.put(global.main().unit().value(), global);
    globalsChanged();
  }

  public void removeGlobal(UnitName unit) {
    if (globals.remove(unit.value()) != null) {
      globalsChanged();
    }
  }

  private void globalsChanged() {
    for (MachineInfo view : views.values()) {
      view.globalsChanged();
      note(view);
    }
  }

  /** The global units of the cluster, sorted by name; one in a rollout with both demands. */
  public Collection<Demand> globals() {
    return globals.values().stream().flatMap(GlobalDemand::all).toList();
  }

  /** A global unit of the cluster. */
  public Optional<GlobalDemand> global(UnitName unit) {
    return Optional.ofNullable(globals.get(unit.value()));
  }

  /** A machine that is there does not take a unit of this name, as long as it stays there. */
  public void refuse(String machine, UnitName unit, String why) {
    machine(machine).ifPresent(view -> view.refuse(unit, why));
  }

  /** A machine takes a unit of this name again. */
  public void free(String machine, UnitName unit) {
    machine(machine).ifPresent(view -> view.free(unit));
  }

  /** A machine that is there answers that a unit is offered to it. */
  public void bid(String machine, Bid bid) {
    machine(machine)
        .ifPresent(view -> {
          view.bid(bid);
          bidders.computeIfAbsent(bid.unit(), _ -> new TreeMap<>()).put(machine, view);
        });
  }

  /** A unit is not offered any more: what machines bid for it is void. */
  public void forgetBids(UnitName unit) {
    Map<String, MachineInfo> forgotten = bidders.remove(unit);
    if (forgotten != null) {
      forgotten.values().forEach(view -> view.forgetBid(unit));
    }
  }

  /** Whether any machine that is there has answered that a unit is offered to it. */
  public boolean hasBids(UnitName unit) {
    return !bidders(unit).isEmpty();
  }

  /** The machines that have answered that a unit is offered to them, and are there. */
  Collection<MachineInfo> bidders(UnitName unit) {
    return bidders.getOrDefault(unit, Collections.emptyNavigableMap()).values().stream()
        .filter(MachineInfo::isPresent)
        .toList();
  }

  boolean isGlobal(String unit) {
    return globals.containsKey(unit);
  }

  /** The machine that a unit is placed on, if it is there. */
  Collection<MachineInfo> machineOf(String unit) {
    return UnitName.parse(unit).map(name -> machineOf(name)).orElse(List.of());
  }

  /** The same. */
  Collection<MachineInfo> machineOf(UnitName unit) {
    MachineInfo view = placements.get(unit);
    return view == null || !view.isPresent() ? List.of() : List.of(view);
  }

  /** The value of a metadata of the machine where a unit counts as one of its family. */
  Optional<String> valueAt(UnitName unit, String key) {
    return Optional.ofNullable(placements.get(unit))
        .filter(view -> Families.template(unit) != null)
        .filter(view -> view.isPresent() && !view.isLeaving(unit))
        .map(view -> view.machine().metadata().getOrDefault(key, ""));
  }

  @Nullable MachineInfo viewOf(UnitName unit) {
    return placements.get(unit);
  }

  private MachineInfo view(String id) {
    return views.computeIfAbsent(id, this::newView);
  }

  private MachineInfo newView(String id) {
    MachineInfo view = new MachineInfo(id, globals);
    view.overcommit(overcommit);
    return view;
  }

  private void note(MachineInfo view) {
    for (Ranking ranking : rankings.values()) {
      ranking.changed(view);
    }
  }

  private void forgetIfEmpty(MachineInfo view) {
    if (view.isEmpty() && !view.isPresent() && !view.isCordoned()) {
      views.remove(view.id());
    }
  }
}

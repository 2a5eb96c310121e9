package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.machine.Resources;
import fleet.core.offer.Bid;
import fleet.core.requirements.Affinity;
import fleet.core.requirements.Glob;
import fleet.core.requirements.Requirements;
import fleet.core.requirements.TextPattern;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One machine of a {@link ClusterLayout} with the units on it. Changes with the layout, and belongs
 * to the layout's thread.
 */
public final class MachineInfo {

  private final NavigableMap<String, GlobalDemand> candidates;
  private final UnitsByName units = new UnitsByName();
  private final Set<String> leaving = new HashSet<>();
  private final Map<UnitName, String> refusals = new HashMap<>();
  private final Map<UnitName, ReceivedBid> bids = new HashMap<>();

  /** The units here that restrict others, since most do not. */
  private final List<Demand> choosy = new ArrayList<>(0);

  private final List<Demand> replacing = new ArrayList<>(0);
  private final List<Demand> listening = new ArrayList<>(0);

  private Machine machine;
  private Overcommit overcommit = Overcommit.NONE;
  private Size size = Size.of(Resources.UNKNOWN);
  private Resources capacity = Resources.UNKNOWN;
  private Resources reservedByPlaced = Resources.UNKNOWN;
  private @Nullable Resources reserved = Resources.UNKNOWN;
  private boolean present;
  private boolean cordoned;
  private @Nullable GlobalUnits globals;
  private BindingFilters.@Nullable Findings findings;

  /**
   * A view of a machine that nobody has described yet.
   *
   * @param candidates the cluster's global units by name; read whenever it is told that they
   *     changed
   */
  MachineInfo(String id, NavigableMap<String, GlobalDemand> candidates) {
    this.candidates = candidates;
    machine = new Machine(id, "", "", Map.of(), "");
  }

  /** The same view for a fork of the layout. */
  MachineInfo fork(NavigableMap<String, GlobalDemand> forkedCandidates) {
    MachineInfo fork = new MachineInfo(id(), forkedCandidates);
    fork.units.putAll(units);
    fork.leaving.addAll(leaving);
    fork.refusals.putAll(refusals);
    fork.machine = machine;
    fork.present = present;
    fork.globals = globals;
    fork.choosy.addAll(choosy);
    fork.replacing.addAll(replacing);
    fork.listening.addAll(listening);
    fork.overcommit = overcommit;
    fork.size = size;
    fork.capacity = capacity;
    fork.reservedByPlaced = reservedByPlaced;
    fork.reserved = reserved;
    fork.cordoned = cordoned;
    return fork;
  }

  public String id() {
    return machine.id();
  }

  public Machine machine() {
    return machine;
  }

  /** The units placed here by name, sorted, those that are leaving among them; no global ones. */
  public Collection<Demand> units() {
    return units.inOrder();
  }

  /** The units placed here that are not leaving; no global ones. */
  List<Demand> staying() {
    return units.inOrder().stream().filter(demand -> !isLeaving(demand.unit())).toList();
  }

  /** Whether the unit is placed here, be it leaving or not. */
  public boolean holds(UnitName unit) {
    return units.has(unit.value());
  }

  /** Whether the unit is placed here and has been told to go. */
  public boolean isLeaving(UnitName unit) {
    return leaving.contains(unit.value());
  }

  /** Whether a unit of this name is here to stay: placed, or global and applicable. */
  public boolean runs(String unit) {
    if (units.has(unit)) {
      return !leaving.contains(unit);
    }
    GlobalDemand global = candidates.get(unit);
    return global != null && globals().applicable().contains(global.main().unit());
  }

  /** Which of the cluster's global units apply here, and why the others do not. */
  public GlobalUnits globals() {
    GlobalUnits known = globals;
    if (known == null) {
      known = GlobalUnits.judge(machine, overcommit, units.inOrder(), demands());
      globals = known;
    }
    return known;
  }

  private List<Demand> demands() {
    return candidates.values().stream().map(global -> global.on(id())).toList();
  }

  /** Whether a global unit would apply here if it asked for this. */
  public boolean wouldApply(Demand global) {
    List<Demand> demands = new ArrayList<>(demands());
    demands.removeIf(other -> other.unit().equals(global.unit()));
    demands.add(global);
    return GlobalUnits.judge(machine, overcommit, units.inOrder(), demands)
        .applicable()
        .contains(global.unit());
  }

  /** The global units that apply here, sorted by name. */
  public Collection<Demand> applicableGlobals() {
    return candidates.isEmpty()
        ? List.of()
        : globals().applicable().stream()
            .map(unit -> Objects.requireNonNull(candidates.get(unit.value())).on(id()))
            .toList();
  }

  /** Why the machine does not take a unit of this name, if it said so. */
  public Optional<String> refusal(UnitName unit) {
    return Optional.ofNullable(refusals.get(unit));
  }

  /** The machine's answer to the offer of a unit, if it has answered. */
  Optional<ReceivedBid> bid(UnitName unit) {
    return Optional.ofNullable(bids.get(unit));
  }

  /** How many units are here to stay, global ones included. */
  public int load() {
    return units.count() - leaving.size() + globals().applicable().size();
  }

  /** The load in words, such as "no unit" or "3 units". */
  public String loadInWords() {
    int load = load();
    return load == 0 ? "no unit" : load == 1 ? "1 unit" : load + " units";
  }

  // ---- resources

  /** Resources that may be promised in all; a zero is unknown, and not limited. */
  public Resources capacity() {
    return capacity;
  }

  /** Resources promised to all units here, those that leave and global ones included. */
  public Resources reserved() {
    Resources known = reserved;
    if (known == null) {
      known = reservedByPlaced;
      for (Demand global : applicableGlobals()) {
        known = known.plus(reservation(global));
      }
      reserved = known;
    }
    return known;
  }

  /** The resources that a unit reserves here. */
  public Resources reservation(Demand demand) {
    return demand.reservationOn(machine);
  }

  /** Resources that may still be promised; negative if too much is, endless if unknown. */
  public Resources room() {
    return ResourcesFilter.room(capacity, reserved());
  }

  Size size() {
    return size;
  }

  // ---- what is here

  /** Whether nothing is to come here any more. */
  public boolean isCordoned() {
    return cordoned;
  }

  /** The units placed here that mind what comes to them, leaving ones among them. */
  List<Demand> choosy() {
    return choosy;
  }

  /** The units placed here that replace others. */
  List<Demand> replacing() {
    return replacing;
  }

  /** The units placed here that have ports, leaving ones among them. */
  List<Demand> listening() {
    return listening;
  }

  /** Whether the cluster has global units, of which some may apply here. */
  boolean hasGlobalCandidates() {
    return !candidates.isEmpty();
  }

  /** Whether another unit of such a name is placed here, leaving ones among them. */
  boolean hasAny(Glob names, UnitName exceptFor) {
    if (names.isLiteral()) {
      return units.has(names.pattern()) && !names.pattern().equals(exceptFor.value());
    }
    for (String name : units.beginning(names.prefix())) {
      if (names.matches(name) && !name.equals(exceptFor.value())) {
        return true;
      }
    }
    return false;
  }

  /** The first unit of such a name that is placed here, leaving ones among them. */
  Optional<Demand> first(TextPattern names, UnitName exceptFor) {
    for (String name : units.beginning(names.prefix())) {
      if (names.matches(name) && !name.equals(exceptFor.value())) {
        return Optional.ofNullable(units.get(name));
      }
    }
    return Optional.empty();
  }

  /** How many instances of a unit's template are placed here, leaving ones among them. */
  int siblings(UnitName unit) {
    String name = unit.value();
    int at = name.indexOf('@');
    if (at < 0) {
      return 0;
    }
    String suffix = name.substring(name.lastIndexOf('.'));
    int count = 0;
    for (String other : units.beginning(name.substring(0, at + 1))) {
      count += other.endsWith(suffix) && !other.equals(name) ? 1 : 0;
    }
    return count;
  }

  /** The findings when all units here were judged; null if anything changed since. */
  BindingFilters.@Nullable Findings findings() {
    return findings;
  }

  void judged(BindingFilters.Findings found) {
    findings = found;
  }

  boolean isPresent() {
    return present;
  }

  boolean isEmpty() {
    return units.count() == 0;
  }

  void describe(Machine description) {
    findings = null;
    machine = description;
    present = true;
    measure();
    globalsChanged();
  }

  void overcommit(Overcommit now) {
    findings = null;
    overcommit = now;
    measure();
    globalsChanged();
  }

  /** Shares are of the machine as it is now. */
  private void measure() {
    size = Size.of(machine.total());
    capacity = overcommit.of(machine.total(), machine.kept());
    reservedByPlaced = Resources.UNKNOWN;
    for (Demand demand : units.inOrder()) {
      reservedByPlaced = reservedByPlaced.plus(reservation(demand));
    }
    reserved = null;
  }

  void cordon(boolean now) {
    findings = null;
    cordoned = now;
  }

  void goAbsent() {
    findings = null;
    present = false;
    refusals.clear();
    bids.clear();
  }

  void put(Demand demand) {
    findings = null;
    Demand before = units.put(demand);
    if (before != null) {
      forget(before);
    }
    leaving.remove(demand.unit().value());
    Requirements asked = demand.requirements();
    if (!asked.conflicts().isEmpty() || keepsAway(asked)) {
      choosy.add(demand);
    }
    if (!asked.replaces().isEmpty()) {
      replacing.add(demand);
    }
    if (!asked.ports().isEmpty()) {
      listening.add(demand);
    }
    reservedByPlaced = reservedByPlaced.plus(reservation(demand));
    changed(demand);
  }

  private static boolean keepsAway(Requirements asked) {
    for (Affinity affinity : asked.hardAffinities()) {
      if (affinity.isAboutUnits() && !affinity.attracts()) {
        return true;
      }
    }
    return false;
  }

  private void forget(Demand before) {
    drop(before, choosy);
    drop(before, replacing);
    drop(before, listening);
    reservedByPlaced = reservedByPlaced.minus(reservation(before));
    changed(before);
  }

  /** Compared by name: comparing all requirements would be the most expensive part of a change. */
  private static void drop(Demand before, List<Demand> from) {
    for (int i = from.size() - 1; i >= 0; i--) {
      if (from.get(i).unit().equals(before.unit())) {
        from.remove(i);
        return;
      }
    }
  }

  /** Only a unit that conflicts with a global one, or takes its room, keeps the global one away. */
  private void changed(Demand demand) {
    reserved = candidates.isEmpty() ? reservedByPlaced : null;
    for (GlobalDemand candidate : candidates.values()) {
      Demand global = candidate.on(id());
      if (global.conflictsWith(demand) || global.competesWith(demand)) {
        globalsChanged();
        return;
      }
    }
  }

  void leave(UnitName unit) {
    findings = null;
    leaving.add(unit.value());
  }

  void remove(UnitName unit) {
    findings = null;
    Demand before = units.remove(unit.value());
    leaving.remove(unit.value());
    if (before != null) {
      forget(before);
    }
  }

  @Nullable Demand demand(UnitName unit) {
    return units.get(unit.value());
  }

  void refuse(UnitName unit, String why) {
    findings = null;
    refusals.put(unit, why);
  }

  void bid(Bid bid) {
    bids.put(bid.unit(), new ReceivedBid(bid, load()));
  }

  void forgetBid(UnitName unit) {
    bids.remove(unit);
  }

  void free(UnitName unit) {
    findings = null;
    refusals.remove(unit);
  }

  void globalsChanged() {
    findings = null;
    globals = candidates.isEmpty() ? GlobalUnits.NONE : null;
    reserved = candidates.isEmpty() ? reservedByPlaced : null;
  }
}

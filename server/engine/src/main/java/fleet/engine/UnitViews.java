package fleet.engine;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The units as the API shows them, kept current unit by unit. Owned by the state thread; the lists
 * that it hands out do not change any more.
 */
final class UnitViews {

  private static final int REFUSALS_NAMED = 3;

  private static final String ENDED =
      "; loaded and not started, as it has ended on the machine that it was on before: to"
          + " run it again, fleetctl start";

  private final ClusterState cluster;
  private final Map<UnitName, UnitView> views = new HashMap<>();
  private final SortedSet<UnitName> names = new TreeSet<>();
  private final Map<UnitName, Waiting> waiting = new HashMap<>();
  private @Nullable List<UnitView> image;

  /**
   * Why a unit has no place, or is left alone where it is.
   *
   * @param kept whether it stays with a machine that is not there
   */
  record Waiting(String why, boolean refused, boolean kept) {
    static final Waiting NOT = new Waiting("", false);

    Waiting(String why, boolean refused) {
      this(why, refused, false);
    }

    static Waiting kept(String why) {
      return new Waiting(why, false, true);
    }
  }

  UnitViews(ClusterState cluster) {
    this.cluster = cluster;
  }

  void waits(UnitName unit, Waiting why) {
    waiting.put(unit, why);
  }

  void waitsNoLonger(UnitName unit) {
    waiting.remove(unit);
  }

  /** The units without a usable place. */
  Map<UnitName, Waiting> waiting() {
    return Collections.unmodifiableMap(waiting);
  }

  /** The obstacle that keeps a unit from a place; empty if there is none. */
  String whyWaiting(UnitName unit) {
    return waiting.getOrDefault(unit, Waiting.NOT).why();
  }

  /** Whether there is something that keeps a unit from a place. */
  boolean waits(UnitName unit) {
    return waiting.containsKey(unit);
  }

  List<UnitView> all() {
    if (image == null) {
      List<UnitView> all = new ArrayList<>(names.size());
      names.forEach(name -> all.add(Objects.requireNonNull(views.get(name))));
      image = Collections.unmodifiableList(all);
    }
    return image;
  }

  Optional<UnitView> of(UnitName unit) {
    return Optional.ofNullable(views.get(unit));
  }

  /** The views of units that exist, sorted by name. */
  List<UnitView> of(Set<UnitName> units) {
    return units.stream().sorted().flatMap(unit -> of(unit).stream()).toList();
  }

  /** Looks at a unit again; returns what has changed, if anything. */
  Optional<Event.Body> refresh(UnitName name) {
    Optional<UnitView> now = cluster.units().of(name).map(this::view);
    UnitView before = now.isPresent() ? views.put(name, now.get()) : views.remove(name);
    if (now.equals(Optional.ofNullable(before))) {
      return Optional.empty();
    }
    image = null;
    if (now.isEmpty()) {
      names.remove(name);
    } else if (before == null) {
      names.add(name);
    }
    return Optional.of(
        now.map(unit -> Event.Body.of(unit))
            .orElseGet(() ->
                new Event.Body(Event.Kind.UNIT_DESTROYED, Event.Subject.of(name), Cause.NONE)));
  }

  private UnitView view(KnownUnit known) {
    UnitName name = known.unit().name();
    boolean global = known.requirements().global();
    Optional<ScheduledUnit> placed = cluster.schedule().of(name);
    Waiting why = isStuck(name, placed) ? waiting.getOrDefault(name, Waiting.NOT) : Waiting.NOT;
    return new UnitView(
        known.unit(),
        global ? Optional.empty() : Optional.of(current(placed)),
        placed
            .map(ScheduledUnit::machine)
            .filter(machine -> why.equals(Waiting.NOT) || cluster.isThere(machine)),
        global,
        why.why().isEmpty() && global ? refusals(known) : why.why(),
        why.refused(),
        placed.isPresent() && why.equals(Waiting.NOT) ? placedBecause(name) : "",
        placed.map(ScheduledUnit::machine).filter(_ -> why.kept()),
        known.stored().set());
  }

  /** Why a unit is on its machine, and why it does nothing there. */
  String placedBecause(UnitName unit) {
    String why = cluster.schedule().reason(unit);
    boolean ended =
        cluster
            .units()
            .of(unit)
            .filter(known -> known.hasEnded() && !known.requirements().global())
            .isPresent();
    return ended ? why + ENDED : why;
  }

  private boolean isStuck(UnitName unit, Optional<ScheduledUnit> placed) {
    return placed.filter(entry -> cluster.isThere(entry.machine())).isEmpty()
        || cluster.fault(unit).isPresent();
  }

  /** Machines run a global unit without being asked, so only they know what prevents it. */
  private String refusals(KnownUnit known) {
    Map<String, String> refusals = cluster.reports().refusals(known);
    String first =
        refusals.entrySet().stream()
            .limit(REFUSALS_NAMED)
            .map(refusal -> "machine " + refusal.getKey() + " refuses it: " + refusal.getValue())
            .collect(Collectors.joining("; "));
    int more = refusals.size() - REFUSALS_NAMED;
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  private DesiredState current(Optional<ScheduledUnit> placed) {
    if (placed.isEmpty()) {
      return DesiredState.INACTIVE;
    }
    UnitState state = cluster.reports().state(placed.get().entry().unit(), placed.get().machine());
    return state == null ? DesiredState.INACTIVE : state.performed();
  }
}

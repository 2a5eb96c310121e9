package fleet.engine;

import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.Drains.MoveDecision;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How many instances of a template may be down at a time, for those that make a unit leave a
 * machine that it could stay on. Owned by the state thread.
 */
final class DisruptionBudget {

  private static final int NAMED = 3;

  private final UnavailableUnits outages;
  private final Function<UnitName, List<UnavailableUnits.Down>> downOf;

  DisruptionBudget(UnavailableUnits outages) {
    this(outages, outages::ofFamily);
  }

  private DisruptionBudget(
      UnavailableUnits outages, Function<UnitName, List<UnavailableUnits.Down>> downOf) {
    this.outages = outages;
    this.downOf = downOf;
  }

  /** The same for many units at one moment: it looks at the instances of each template once. */
  DisruptionBudget ofNow() {
    Map<UnitName, List<UnavailableUnits.Down>> known = new HashMap<>();
    return new DisruptionBudget(
        outages,
        unit ->
            known.computeIfAbsent(unit.template().orElse(unit), _ -> all(unit)).stream()
                .filter(down -> !down.unit().equals(unit))
                .toList());
  }

  private List<UnavailableUnits.Down> all(UnitName unit) {
    List<UnavailableUnits.Down> all = new ArrayList<>(outages.ofFamily(unit));
    outages.of(unit).ifPresent(all::add);
    all.sort(Comparator.comparing(UnavailableUnits.Down::unit));
    return all;
  }

  /**
   * The unit waits for this if as many instances of its template are down as may be; empty if it
   * may go now. A unit that is down itself is not counted.
   *
   * @param state of the unit where it is placed; null if that is not known
   */
  Optional<MoveDecision> held(
      KnownUnit known, ScheduledUnit placed, @Nullable UnitState state, int most) {
    boolean up =
        state != null
            && UnavailableUnits.isOfLastStart(placed, state)
            && state.systemd().isActive();
    if (!up) {
      return Optional.empty();
    }
    List<UnavailableUnits.Down> down = downOf.apply(known.unit().name());
    if (down.size() < most) {
      return Optional.empty();
    }
    Set<String> onUnits = new TreeSet<>();
    down.forEach(one -> onUnits.add(one.unit().value()));
    String why =
        "at most %d of its instances may be down at a time: %s".formatted(most, text(down));
    return Optional.of(
        down.stream().filter(one -> !one.passes()).count() < most
            ? new MoveDecision.Waits(why, onUnits)
            : new MoveDecision.Stays(why, onUnits, false));
  }

  private static String text(List<UnavailableUnits.Down> down) {
    List<String> named =
        down.stream().limit(NAMED).map(one -> one.unit() + " " + one.how()).toList();
    int more = down.size() - named.size();
    return String.join(", ", named) + (more > 0 ? " and " + more + " more are down" : "");
  }
}

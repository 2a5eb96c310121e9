package fleet.scheduler;

import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The filters that make a unit leave its machine. They judge only by the content of that machine,
 * so a finding holds until something changes there. Immutable.
 */
final class BindingFilters {

  private final List<Filter> filters;

  BindingFilters(List<Filter> all) {
    filters = all.stream().filter(Filter::binds).toList();
  }

  /**
   * The findings when all units of a machine were judged.
   *
   * @param filters by which they were
   * @param objections by the unit that may not stay
   */
  record Findings(List<Filter> filters, Map<UnitName, String> objections) {}

  /** Why a unit that is placed on a machine may not stay there; empty if it may. */
  Optional<String> objection(Demand demand, MachineInfo machine) {
    Findings known = known(machine);
    return known == null
        ? judge(demand, machine)
        : Optional.ofNullable(known.objections().get(demand.unit()));
  }

  /** Why units that are placed on a machine may not stay there, by unit. */
  Map<UnitName, String> objections(MachineInfo machine) {
    Findings known = known(machine);
    if (known == null) {
      known = new Findings(filters, judge(machine));
      machine.judged(known);
    }
    return known.objections();
  }

  private @Nullable Findings known(MachineInfo machine) {
    Findings last = machine.findings();
    return last != null && last.filters().equals(filters) ? last : null;
  }

  private Map<UnitName, String> judge(MachineInfo machine) {
    Map<UnitName, String> objections = Map.of();
    for (Demand demand : machine.units()) {
      Optional<String> objection = judge(demand, machine);
      if (objection.isPresent()) {
        objections = objections.isEmpty() ? new TreeMap<>() : objections;
        objections.put(demand.unit(), objection.get());
      }
    }
    return objections;
  }

  private Optional<String> judge(Demand demand, MachineInfo machine) {
    if (!machine.isPresent()) {
      return Optional.of("machine " + machine.id() + " went away");
    }
    for (Filter filter : filters) {
      if (!filter.admits(demand, machine)) {
        return filter
            .check(demand, machine)
            .map(rejection -> "machine " + machine.id() + " " + rejection.text());
      }
    }
    return Optional.empty();
  }
}

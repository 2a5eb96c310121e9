package fleet.fleetctl.top;

import fleet.entities.UnitUsageEntity;
import fleet.entities.UsageEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The last two measurements of each machine. For one thread. */
public final class UsageBoard {

  private final Map<String, Machine> machines = new TreeMap<>();

  /**
   * A machine by its last measurement.
   *
   * @param now as it came; only a problem if there is one
   * @param cpuUsed thousandths of a processor; empty before the second measurement
   */
  public record Machine(String id, UsageEntity now, OptionalLong cpuUsed, List<Unit> units) {}

  /** A unit by its machine's last measurement. */
  public record Unit(String name, String machine, UnitUsageEntity now, OptionalLong cpuUsed) {}

  /** Takes a measurement in. */
  public void take(UsageEntity next) {
    String id = next.machineID();
    Optional<UsageEntity> before = Optional.ofNullable(machines.get(id)).map(Machine::now);
    machines.put(
        id,
        new Machine(
            id,
            next,
            rate(before.map(UsageEntity::cpuNanos).orElse(null), next.cpuNanos(), before, next),
            units(id, before, next)));
  }

  private static List<Unit> units(String id, Optional<UsageEntity> before, UsageEntity next) {
    Map<String, UnitUsageEntity> earlier = new HashMap<>();
    before.ifPresent(usage -> usage.units().forEach(u -> earlier.put(u.name(), u)));
    List<Unit> units = new ArrayList<>();
    for (UnitUsageEntity unit : next.units()) {
      UnitUsageEntity was = earlier.get(unit.name());
      units.add(
          new Unit(
              unit.name(),
              id,
              unit,
              rate(was == null ? null : was.cpuNanos(), unit.cpuNanos(), before, next)));
    }
    return units;
  }

  /** A unit that was started again counts from its start. */
  private static OptionalLong rate(
      @Nullable Long from, @Nullable Long to, Optional<UsageEntity> before, UsageEntity next) {
    Long begun = before.map(UsageEntity::nanos).orElse(null);
    Long ended = next.nanos();
    if (from == null || to == null || begun == null || ended == null || ended <= begun) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Math.max(0, Math.round(1000.0 * (to - from) / (ended - begun))));
  }

  public List<Machine> machines(UsageOrder order) {
    return machines.values().stream().sorted(order.machines()).toList();
  }

  /** All units of all machines. */
  public List<Unit> units(UsageOrder order) {
    return machines.values().stream()
        .flatMap(machine -> machine.units().stream())
        .sorted(order.unitsOfAll())
        .toList();
  }
}

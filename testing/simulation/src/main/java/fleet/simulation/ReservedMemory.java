package fleet.simulation;

import fleet.core.machine.Reservation;
import fleet.core.machine.Resources;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import fleet.simulation.store.StoreServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The memory that units reserve of machines, by what the store says where they are. */
final class ReservedMemory {

  private final StoreServer store;
  private final Map<String, Long> byFile = new HashMap<>();
  private final Map<String, Map<String, Long>> byMachine = new HashMap<>();

  ReservedMemory(StoreServer store) {
    this.store = store;
  }

  /** Takes over a change; says of which machine it promises more than there is. */
  Optional<String> overPromised(Delta delta) {
    Set<String> touched = new TreeSet<>();
    for (Change change : delta.changes()) {
      if (change.key().startsWith(Keys.SCHEDULES)) {
        String machine = Keys.machineOf(change.key());
        Map<String, Long> entries = byMachine.computeIfAbsent(machine, _ -> new HashMap<>());
        switch (change) {
          case Change.Written written ->
              entries.put(change.key(), of(ScheduleRecord.of(written.entry()).sha256()));
          case Change.Deleted _ -> entries.remove(change.key());
        }
        touched.add(machine);
      }
    }
    return touched.stream()
        .filter(machine -> placed(machine) > SimulatedMachine.MEMORY)
        .map(machine ->
            "%d bytes of machine %s are promised, which has %d"
                .formatted(placed(machine), machine, SimulatedMachine.MEMORY))
        .findFirst();
  }

  /** The memory that the units placed on a machine reserve. */
  long placed(String machine) {
    return byMachine.getOrDefault(machine, Map.of()).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** The memory reserved by a unit with this file, which may be gone when the unit is stopped. */
  long of(String sha256) {
    return byFile.computeIfAbsent(
        sha256, name -> memory(FileRecord.of(store.get(Keys.file(name)).orElseThrow()).text()));
  }

  private static long memory(String text) {
    try {
      return Reservation.of(UnitFile.parse(text)).on(Resources.UNKNOWN).memory();
    } catch (UnitFileSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}

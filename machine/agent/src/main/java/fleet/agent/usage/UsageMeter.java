package fleet.agent.usage;

import fleet.core.machine.Resources;
import fleet.core.text.JsonText;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Measures this machine for one reader, repeatedly. For one thread. */
public final class UsageMeter {

  private static final long TICK_NANOS = 10_000_000;
  private static final long KIB = 1024;

  /** Fields of {@code /proc/stat}, by position: user, nice, system, irq, softirq, steal. */
  private static final List<Integer> BUSY = List.of(1, 2, 3, 6, 7, 8);

  private final Path proc;
  private final Resources total;
  private final Path disk;
  private final Reservations reservations;
  private final ControlGroups groups;
  private final LongSupplier nanos;

  /**
   * @param place where things are on this machine
   * @param manager the control group of the manager whose units are measured
   * @param nanos a clock that never goes back
   */
  public UsageMeter(Place place, String manager, LongSupplier nanos) {
    this.proc = place.root().resolve("proc");
    this.total = place.total();
    this.disk = place.disk();
    this.reservations = new Reservations(place.marks(), place.files(), total);
    this.groups = new ControlGroups(place.root(), manager);
    this.nanos = nanos;
  }

  /**
   * Where things are on a machine.
   *
   * @param root {@code /}; another in tests
   * @param marks a file for each unit that fleet placed
   * @param files the directory of these units' files
   * @param disk on the file system that is measured
   * @param total what the machine has
   */
  public record Place(Path root, Path marks, Path files, Path disk, Resources total) {}

  /**
   * One line of JSON; unknown values are left out.
   *
   * @param units whether units come one by one as well
   */
  public byte[] measure(boolean units) {
    Map<UnitName, Resources> placed = reservations.now();
    Resources reserved = placed.values().stream().reduce(Resources.UNKNOWN, Resources::plus);
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("nanos", nanos.getAsLong());
    line.put("cpuMillis", total.cpuMillis());
    cpuNanos().ifPresent(used -> line.put("cpuNanos", used));
    line.put("cpuReserved", reserved.cpuMillis());
    line.put("memory", total.memory());
    memoryUsed().ifPresent(used -> line.put("memoryUsed", used));
    line.put("memoryReserved", reserved.memory());
    line.put("disk", total.disk());
    diskUsed().ifPresent(used -> line.put("diskUsed", used));
    line.put("diskReserved", reserved.disk());
    putUnlessZero(line, "tasks", total.tasks());
    line.put("tasksReserved", reserved.tasks());
    line.put("unitCount", placed.size());
    if (units) {
      line.put("units", units(placed));
    }
    return (JsonText.inAscii(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private List<Map<String, Object>> units(Map<UnitName, Resources> placed) {
    Map<UnitName, Measures> measured = groups.measure(placed.keySet());
    List<Map<String, Object>> units = new ArrayList<>();
    placed.forEach((unit, reserved) -> {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("name", unit.value());
      Measures used = measured.get(unit);
      if (used != null) {
        used.cpuNanos().ifPresent(nanoseconds -> each.put("cpuNanos", nanoseconds));
        used.memory().ifPresent(bytes -> each.put("memoryUsed", bytes));
      }
      putUnlessZero(each, "cpuReserved", reserved.cpuMillis());
      putUnlessZero(each, "memoryReserved", reserved.memory());
      units.add(each);
    });
    return units;
  }

  private static void putUnlessZero(Map<String, Object> line, String name, long number) {
    if (number != 0) {
      line.put(name, number);
    }
  }

  private OptionalLong cpuNanos() {
    return ProcFiles.lines(proc.resolve("stat"))
        .filter(line -> line.startsWith("cpu "))
        .map(line -> line.split(" +", -1))
        .map(fields ->
            BUSY.stream()
                .filter(field -> field < fields.length)
                .mapToLong(field -> TICK_NANOS * ProcFiles.parse(fields[field]).orElse(0))
                .sum())
        .map(OptionalLong::of)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  private OptionalLong memoryUsed() {
    Path file = proc.resolve("meminfo");
    OptionalLong all = ProcFiles.number(file, "MemTotal:");
    OptionalLong available = ProcFiles.number(file, "MemAvailable:");
    return Stream.of(all, available).allMatch(OptionalLong::isPresent)
        ? OptionalLong.of(KIB * (all.getAsLong() - available.getAsLong()))
        : OptionalLong.empty();
  }

  private OptionalLong diskUsed() {
    try {
      FileStore store = Files.getFileStore(disk);
      return OptionalLong.of(store.getTotalSpace() - store.getUnallocatedSpace());
    } catch (IOException gone) {
      return OptionalLong.empty();
    }
  }
}

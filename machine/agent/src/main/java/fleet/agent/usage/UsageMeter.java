package fleet.agent.usage;

import fleet.core.machine.Resources;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
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
   * Makes a meter.
   *
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
   * One line of JSON.
   *
   * @param units whether units come one by one as well
   */
  public byte[] measure(boolean units) {
    Map<UnitName, Resources> placed = reservations.now();
    Resources reserved = placed.values().stream().reduce(Resources.UNKNOWN, Resources::plus);
    UsageLine line = new UsageLine().open().put("nanos", nanos.getAsLong());
    line.put("cpuMillis", total.cpuMillis())
        .put("cpuNanos", cpuNanos())
        .put("cpuReserved", reserved.cpuMillis())
        .put("memory", total.memory())
        .put("memoryUsed", memoryUsed())
        .put("memoryReserved", reserved.memory())
        .put("disk", total.disk())
        .put("diskUsed", diskUsed())
        .put("diskReserved", reserved.disk())
        .putUnlessZero("tasks", total.tasks())
        .put("tasksReserved", reserved.tasks())
        .put("unitCount", placed.size());
    if (units) {
      line.openList("units");
      Map<UnitName, Measures> measured = groups.measure(placed.keySet());
      placed.forEach((unit, each) -> {
        line.open().put("name", unit.value());
        Measures used = measured.get(unit);
        if (used != null) {
          line.put("cpuNanos", used.cpuNanos()).put("memoryUsed", used.memory());
        }
        line.putUnlessZero("cpuReserved", each.cpuMillis())
            .putUnlessZero("memoryReserved", each.memory())
            .close();
      });
      line.closeList();
    }
    return line.close().bytes();
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

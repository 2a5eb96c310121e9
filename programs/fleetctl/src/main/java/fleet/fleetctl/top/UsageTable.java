package fleet.fleetctl.top;

import fleet.entities.UsageEntity;
import fleet.fleetctl.table.Table;
import fleet.fleetctl.top.UsageBoard.Machine;
import fleet.fleetctl.top.UsageBoard.Unit;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes what is used, reserved and there: of each {@code used / reserved / total}. */
public final class UsageTable {

  private static final String UNKNOWN = "-";

  private final Function<String, String> names;

  /**
   * @param names what machines are called, by their ids
   */
  public UsageTable(Function<String, String> names) {
    this.names = names;
  }

  /** A line for each machine, and one for all if they are several. */
  public String machines(UsageBoard board, boolean legend) {
    Table table = new Table();
    if (legend) {
      table.row(
          List.of(
              "MACHINE",
              "UNITS",
              "CPU",
              "RESERVED",
              "TOTAL",
              "MEMORY",
              "RESERVED",
              "TOTAL",
              "DISK",
              "RESERVED",
              "TOTAL"));
    }
    for (Machine machine : board.machines()) {
      table.row(row(machine));
    }
    return table.render() + problems(board);
  }

  private List<String> row(Machine machine) {
    UsageEntity now = machine.now();
    return List.of(
        names.apply(machine.id()),
        now.unitCount() == null ? UNKNOWN : String.valueOf(now.unitCount()),
        share(machine.cpuUsed(), now.cpuMillis()),
        processors(now.cpuReserved()),
        processors(unknownIfZero(now.cpuMillis())),
        bytes(now.memoryUsed()),
        bytes(now.memoryReserved()),
        bytes(unknownIfZero(now.memory())),
        bytes(now.diskUsed()),
        bytes(now.diskReserved()),
        bytes(unknownIfZero(now.disk())));
  }

  private String problems(UsageBoard board) {
    StringBuilder text = new StringBuilder();
    for (Machine machine : board.machines()) {
      String problem = machine.now().problem();
      if (!problem.isEmpty()) {
        text.append(names.apply(machine.id())).append(": ").append(problem).append('\n');
      }
    }
    return text.toString();
  }

  /** A line for each unit on each machine, those first that use most. */
  public String units(UsageBoard board, boolean legend) {
    Table table = new Table();
    if (legend) {
      table.row(List.of("UNIT", "MACHINE", "CPU", "RESERVED", "MEMORY", "RESERVED"));
    }
    for (Unit unit : board.units()) {
      table.row(
          List.of(
              unit.name(),
              names.apply(unit.machine()),
              unit.cpuUsed().isPresent() ? percent(unit.cpuUsed().getAsLong() / 10.0) : UNKNOWN,
              processors(unit.now().cpuReserved()),
              bytes(unit.now().memoryUsed()),
              bytes(unit.now().memoryReserved())));
    }
    return table.render() + problems(board);
  }

  /** The share of all processors of the machine together. */
  private static String share(OptionalLong used, @Nullable Long all) {
    return used.isEmpty() || all == null || all == 0
        ? UNKNOWN
        : percent(100.0 * used.getAsLong() / all);
  }

  private static String percent(double percent) {
    return String.format(Locale.ROOT, "%.1f%%", percent);
  }

  private static @Nullable Long unknownIfZero(@Nullable Long number) {
    return number == null || number == 0 ? null : number;
  }

  private static String processors(@Nullable Long millis) {
    return millis == null ? UNKNOWN : Sizes.processors(millis);
  }

  private static String bytes(@Nullable Long bytes) {
    return bytes == null ? UNKNOWN : Sizes.bytes(bytes);
  }
}

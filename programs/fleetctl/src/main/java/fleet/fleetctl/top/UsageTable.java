package fleet.fleetctl.top;

import fleet.entities.UsageEntity;
import fleet.fleetctl.table.FittedTable;
import fleet.fleetctl.table.Table;
import fleet.fleetctl.top.UsageBoard.Machine;
import fleet.fleetctl.top.UsageBoard.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is used, reserved and there: of each {@code used / reserved / total}. If a line is
 * too short for that, what is used and there.
 */
public final class UsageTable {

  private static final String UNKNOWN = "-";
  private static final List<String> ALL =
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
          "TOTAL");
  private static final List<String> SHORT = List.of("MACHINE", "UNITS", "CPU", "MEMORY", "DISK");
  private static final List<String> OF_UNITS =
      List.of("UNIT", "MACHINE", "CPU", "RESERVED", "MEMORY", "RESERVED");

  private final Function<String, String> names;
  private final boolean legend;
  private final int width;

  /**
   * @param names what machines are called, by their ids
   * @param legend whether with a header
   * @param width of a line on a terminal; 0 for columns aligned by TABs, as scripts read them
   */
  public UsageTable(Function<String, String> names, boolean legend, int width) {
    this.names = names;
    this.legend = legend;
    this.width = width;
  }

  /** A line for each machine. */
  public String machines(UsageBoard board, UsageOrder order) {
    List<Machine> machines = board.machines(order);
    List<List<String>> rows = machines.stream().map(this::row).toList();
    String whole = render(ALL, rows, Integer.MAX_VALUE);
    boolean fits = width == 0 || whole.lines().allMatch(line -> line.length() <= width);
    String table =
        fits ? whole : render(SHORT, machines.stream().map(this::shortRow).toList(), width);
    return table + problems(board);
  }

  private String render(List<String> header, List<List<String>> rows, int within) {
    List<List<String>> all = new ArrayList<>(rows);
    if (legend) {
      all.addFirst(header);
    }
    if (width > 0) {
      return new FittedTable(all, within).render();
    }
    Table table = new Table();
    all.forEach(table::row);
    return table.render();
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

  private List<String> shortRow(Machine machine) {
    List<String> row = row(machine);
    return List.of(
        row.get(0),
        row.get(1),
        row.get(2),
        share(row.get(5), row.get(7)),
        share(row.get(8), row.get(10)));
  }

  private static String share(String used, String total) {
    return used.equals(total) && total.equals(UNKNOWN) ? UNKNOWN : used + " of " + total;
  }

  private String problems(UsageBoard board) {
    StringBuilder text = new StringBuilder();
    for (Machine machine : board.machines(UsageOrder.name)) {
      String problem = machine.now().problem();
      if (!problem.isEmpty()) {
        text.append(names.apply(machine.id())).append(": ").append(problem).append('\n');
      }
    }
    return text.toString();
  }

  /** A line for each unit on each machine. */
  public String units(UsageBoard board, UsageOrder order) {
    List<List<String>> rows = board.units(order).stream().map(this::row).toList();
    return render(OF_UNITS, rows, width) + problems(board);
  }

  private List<String> row(Unit unit) {
    return List.of(
        unit.name(),
        names.apply(unit.machine()),
        unit.cpuUsed().isPresent() ? percent(unit.cpuUsed().getAsLong() / 10.0) : UNKNOWN,
        processors(unit.now().cpuReserved()),
        bytes(unit.now().memoryUsed()),
        bytes(unit.now().memoryReserved()));
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

package fleet.bench.node;

import fleet.testkit.BootedMachine;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * When systemd started a set of units, by its own account.
 *
 * @param firstMicros when the first one left inactive, microseconds since 1970
 * @param lastMicros when the last one became active
 */
public record StartTimes(long firstMicros, long lastMicros) {

  private static final String LEFT = "InactiveExitTimestamp=";
  private static final String ENTERED = "ActiveEnterTimestamp=";
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss.SSSSSS zzz", Locale.ROOT);

  /** Asks systemd about units that are active. */
  public static StartTimes of(BootedMachine machine, UnitSet units) {
    return parse(
        machine.succeed(
            "systemctl",
            "show",
            "--timestamp=us+utc",
            "--property=InactiveExitTimestamp,ActiveEnterTimestamp",
            units.glob()));
  }

  static StartTimes parse(String properties) {
    List<String> lines = properties.lines().toList();
    return new StartTimes(
        lines.stream()
            .filter(line -> line.startsWith(LEFT))
            .mapToLong(StartTimes::micros)
            .min()
            .orElseThrow(() -> nothing(properties)),
        lines.stream()
            .filter(line -> line.startsWith(ENTERED))
            .mapToLong(StartTimes::micros)
            .max()
            .orElseThrow(() -> nothing(properties)));
  }

  private static AssertionError nothing(String properties) {
    return new AssertionError("systemd shows no time of a start: '" + properties + "'");
  }

  private static long micros(String property) {
    String time = property.substring(property.indexOf('=') + 1);
    return ChronoUnit.MICROS.between(Instant.EPOCH, FORMAT.parse(time, Instant::from));
  }

  public double seconds() {
    return (lastMicros - firstMicros) / 1e6;
  }
}

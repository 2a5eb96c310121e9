package fleet.bench.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * When a command ran, by the machine's clock.
 *
 * @param startMicros when it was about to be started, microseconds since 1970
 * @param endMicros when it had ended
 * @param lines what it wrote, where that was asked for
 */
public record Timing(long startMicros, long endMicros, List<Line> lines) {

  /** A line, and when it came. */
  public record Line(long micros, String text) {}

  public Timing {
    lines = List.copyOf(lines);
  }

  /** Reads {@code START END}, after any number of {@code TIME LINE}. */
  static Timing parse(String output) {
    List<String> all = output.lines().toList();
    List<Line> lines = new ArrayList<>();
    for (String line : all.subList(0, Math.max(0, all.size() - 1))) {
      int space = line.indexOf(' ');
      lines.add(new Line(micros(line.substring(0, space)), line.substring(space + 1)));
    }
    String[] times = all.isEmpty() ? new String[0] : all.getLast().split(" ", -1);
    if (times.length != 2) {
      throw new AssertionError("no times in: " + output);
    }
    return new Timing(micros(times[0]), micros(times[1]), lines);
  }

  /** Bash's {@code EPOCHREALTIME}, with its six digits after the point. */
  private static long micros(String epoch) {
    return Long.parseLong(epoch.replace(".", ""));
  }

  public double seconds() {
    return secondsTo(endMicros);
  }

  public double millis() {
    return seconds() * 1e3;
  }

  /** From the start to this moment, in seconds. */
  public double secondsTo(long micros) {
    return (micros - startMicros) / 1e6;
  }

  /** The first line for which this holds. */
  public Optional<Line> first(Predicate<String> wanted) {
    return lines.stream().filter(line -> wanted.test(line.text())).findFirst();
  }
}

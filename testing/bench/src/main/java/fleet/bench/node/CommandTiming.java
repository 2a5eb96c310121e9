package fleet.bench.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * When a command ran, by the machine's clock.
 *
 * @param startMicros when it was about to be started, microseconds since 1970
 * @param endMicros when it had ended
 * @param cpuSeconds the processor time of it and its children
 * @param lines what it wrote, if that was asked for
 */
public record CommandTiming(long startMicros, long endMicros, double cpuSeconds, List<Line> lines) {

  /** A line, and when it came. */
  public record Line(long micros, String text) {}

  public CommandTiming {
    lines = List.copyOf(lines);
  }

  /**
   * Reads {@code START END}, after any number of {@code TIME LINE}, and then what bash's {@code
   * times} writes.
   */
  static CommandTiming parse(String output) {
    List<String> all = output.lines().toList();
    int last = all.size() - 3;
    String[] times = last < 0 ? new String[0] : all.get(last).split(" ", -1);
    if (times.length != 2) {
      throw new AssertionError("no times in: " + output);
    }
    return new CommandTiming(
        micros(times[0]),
        micros(times[1]),
        cpuSeconds(all.getLast()),
        all.subList(0, last).stream().map(CommandTiming::line).toList());
  }

  private static Line line(String line) {
    int space = line.indexOf(' ');
    return new Line(micros(line.substring(0, space)), line.substring(space + 1));
  }

  /** Such as {@code 0m0.116s 0m0.043s}, in user mode and in the kernel. */
  private static double cpuSeconds(String children) {
    double seconds = 0;
    for (String time : children.split(" ", -1)) {
      String[] parts = time.split("[ms]", -1);
      seconds += Integer.parseInt(parts[0]) * 60 + Double.parseDouble(parts[1]);
    }
    return seconds;
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

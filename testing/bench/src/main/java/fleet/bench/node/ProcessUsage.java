package fleet.bench.node;

import fleet.testkit.BootedMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The resource usage of a process, as the kernel accounts for it.
 *
 * @param cpuSeconds in user and kernel mode since it began; the kernel counts hundredths
 * @param rssAnonMegabytes resident and not backed by a file, in 10^6 bytes
 * @param rssMegabytes resident in all
 * @param threads how many it has
 */
public record ProcessUsage(
    double cpuSeconds, double rssAnonMegabytes, double rssMegabytes, int threads) {

  private static final double TICKS_PER_SECOND = 100;
  private static final double BYTES_PER_KILOBYTE = 1024;

  /** The usage of a process by its id in the machine. */
  public static ProcessUsage of(BootedMachine machine, String pid) {
    return parse(machine.read("/proc/" + pid + "/stat"), machine.read("/proc/" + pid + "/status"));
  }

  /** The usage of a process of this machine. */
  public static ProcessUsage ofHost(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    try {
      return parse(
          Files.readString(process.resolve("stat")), Files.readString(process.resolve("status")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ProcessUsage parse(String stat, String status) {
    return new ProcessUsage(
        cpuSeconds(stat),
        megabytes(status, "RssAnon:"),
        megabytes(status, "VmRSS:"),
        (int) number(status, "Threads:"));
  }

  /** The second field is the name, which may have blanks and parentheses in it. */
  private static double cpuSeconds(String stat) {
    List<String> afterName = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    long user = Long.parseLong(afterName.get(11));
    long kernel = Long.parseLong(afterName.get(12));
    return (user + kernel) / TICKS_PER_SECOND;
  }

  private static double megabytes(String status, String field) {
    return number(status, field) * BYTES_PER_KILOBYTE / 1e6;
  }

  private static long number(String status, String field) {
    return status
        .lines()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).replace("kB", "").strip())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + field + " in:\n" + status));
  }
}

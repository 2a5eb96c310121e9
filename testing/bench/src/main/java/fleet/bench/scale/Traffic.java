package fleet.bench.scale;

import fleet.testkit.BootedMachine;
import java.util.Arrays;

/** The bytes that went over a machine's network in both directions. */
final class Traffic {

  private static final int RECEIVED = 0;
  private static final int SENT = 8;

  private Traffic() {}

  static long of(BootedMachine machine) {
    return machine
        .read("/proc/net/dev")
        .lines()
        .filter(line -> line.contains(":") && !line.strip().startsWith("lo:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip().split("\\s+", -1))
        .mapToLong(fields ->
            Arrays.stream(new int[] {RECEIVED, SENT})
                .mapToLong(i -> Long.parseLong(fields[i]))
                .sum())
        .sum();
  }
}

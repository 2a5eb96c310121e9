package fleet.fleetd.machine;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the kernel's IPv4 routes ({@code /proc/net/route}). */
final class DefaultRoute {
  private static final String ANYWHERE = "00000000";
  private static final int UP = 1;

  private DefaultRoute() {}

  private record Route(String device, long metric) {}

  /**
   * The interface that the default route leaves by; of several, the one with the lowest metric.
   *
   * @param table with its heading
   */
  static Optional<String> device(List<String> table) {
    return table.stream()
        .skip(1)
        .flatMap(DefaultRoute::parse)
        .min(Comparator.comparingLong(Route::metric))
        .map(Route::device);
  }

  private static Stream<Route> parse(String line) {
    // Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
    String[] columns = line.strip().split("\\s+", -1);
    if (columns.length < 8 || !columns[1].equals(ANYWHERE) || !columns[7].equals(ANYWHERE)) {
      return Stream.empty();
    }
    boolean up = (Integer.parseInt(columns[3], 16) & UP) != 0;
    return up ? Stream.of(new Route(columns[0], Long.parseLong(columns[6]))) : Stream.empty();
  }
}

package fleet.engine;

import fleet.core.state.AgentReport;
import fleet.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out what machines say of units that they were never given, and counts it. The log lines
 * become ever rarer, so that no machine can fill the leader's disk. Owned by the state thread.
 */
final class IgnoredReports {

  private static final Logger log = LoggerFactory.getLogger(IgnoredReports.class);

  private final Map<String, Long> counts = new HashMap<>();

  /** The reports that count. */
  List<AgentReport> sift(String machine, List<AgentReport> reports, ClusterState cluster) {
    List<AgentReport> admitted = new ArrayList<>(reports.size());
    for (AgentReport report : reports) {
      if (cluster.admission().admits(machine, report)) {
        admitted.add(report);
      } else {
        ignore(machine, report);
      }
    }
    return admitted;
  }

  private void ignore(String machine, AgentReport report) {
    long count = counts.merge(machine, 1L, Long::sum);
    if (isPowerOfTen(count)) {
      log.warn(
          "machine {} reports units that it was never given, such as {}; ignored so far: {}",
          machine,
          report.unit(),
          count);
    }
  }

  private static boolean isPowerOfTen(long count) {
    long power = 1;
    while (power < count) {
      power *= 10;
    }
    return power == count;
  }

  void gone(String machine) {
    counts.remove(machine);
  }
}

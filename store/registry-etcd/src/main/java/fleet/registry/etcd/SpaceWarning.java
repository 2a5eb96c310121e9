package fleet.registry.etcd;

import io.etcd.jetcd.maintenance.StatusResponse;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns before etcd is full, once each time that a member's database outgrows half the quota. */
final class SpaceWarning implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(SpaceWarning.class);
  private static final double MIB = 1 << 20;

  private final EtcdClient connection;
  private final long quota;
  private final Map<URI, Long> sizes = new ConcurrentHashMap<>();
  private final Set<URI> above = new HashSet<>();
  private final Set<URI> full = new HashSet<>();

  SpaceWarning(EtcdClient connection) {
    this.connection = connection;
    this.quota = connection.options().quota();
  }

  @Override
  public void run() {
    connection.options().endpoints().forEach(this::look);
  }

  /** The size of the largest database when it was last looked at; empty if none was yet. */
  OptionalLong size() {
    return sizes.values().stream().mapToLong(size -> size).max();
  }

  private void look(URI endpoint) {
    try {
      StatusResponse status = connection.status(endpoint);
      sizes.put(endpoint, status.getDbSize());
      judgeSize(endpoint, status.getDbSize());
      judgeAlarm(
          endpoint, status.getErrorList().stream().anyMatch(alarm -> alarm.contains("NOSPACE")));
    } catch (EtcdFault e) {
      log.debug("registry: how full {} is cannot be asked: {}", endpoint, e.getMessage());
    }
  }

  private void judgeSize(URI endpoint, long size) {
    if (size <= quota / 2) {
      above.remove(endpoint);
    } else if (above.add(endpoint)) {
      log.warn(
          "registry: the database of etcd at {} has {} MiB, more than half of its quota of {} MiB;"
              + " at the quota it takes no more writes. Let it compact by itself"
              + " (--auto-compaction-retention) and defragment it (etcdctl defrag), or raise"
              + " --quota-backend-bytes, and etcd_quota with it",
          endpoint,
          mib(size),
          mib(quota));
    }
  }

  private void judgeAlarm(URI endpoint, boolean noSpace) {
    if (!noSpace) {
      full.remove(endpoint);
    } else if (full.add(endpoint)) {
      log.error("registry: etcd at {} {}", endpoint, EtcdFaults.NOSPACE);
    }
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%.0f", bytes / MIB);
  }
}

package fleet.registry.etcd;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that watches wait for etcd, and once that all go on: whatever keeps one of them
 * waiting mostly keeps all of them, and a line for each would hide what matters. Safe for many
 * threads.
 */
final class Outage {

  private static final Logger log = LoggerFactory.getLogger(Outage.class);

  private final Set<EtcdWatch> waiting = new HashSet<>();

  /** A watch could not go on at once. */
  synchronized void begins(EtcdWatch watch, String prefix, EtcdFault why) {
    if (waiting.isEmpty()) {
      log.warn("registry: changes are not told for now: {}", why.getMessage());
    }
    if (waiting.add(watch)) {
      log.debug("registry: the watch of '{}' waits: {}", prefix, why.getMessage());
    }
  }

  /** A watch is over, and waits no more. */
  synchronized void forgets(EtcdWatch watch) {
    waiting.remove(watch);
  }

  /** A watch goes on. */
  synchronized void ends(EtcdWatch watch) {
    if (waiting.remove(watch) && waiting.isEmpty()) {
      log.info("registry: changes are told again; none was missed");
    }
  }
}

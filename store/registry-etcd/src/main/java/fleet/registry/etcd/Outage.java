package fleet.registry.etcd;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that watches wait for etcd, and once that all continue: an outage mostly concerns all
 * of them, and a line for each would hide what matters. Safe for many threads.
 */
final class Outage {

  private static final Logger log = LoggerFactory.getLogger(Outage.class);

  private final Set<EtcdWatch> waiting = new HashSet<>();
  private Optional<String> why = Optional.empty();
  private Consumer<Optional<String>> hearer = _ -> {};

  /** Tells at once how it is, and whenever that changes. */
  synchronized void onChange(Consumer<Optional<String>> told) {
    hearer = told;
    told.accept(why);
  }

  private void is(Optional<String> now) {
    why = now;
    hearer.accept(now);
  }

  /** A watch could not go on at once. */
  synchronized void begins(EtcdWatch watch, String prefix, EtcdFault fault) {
    if (waiting.isEmpty()) {
      log.warn("registry: no changes arrive for now: {}", fault.getMessage());
      is(Optional.of(String.valueOf(fault.getMessage())));
    }
    if (waiting.add(watch)) {
      log.debug("registry: the watch of '{}' waits: {}", prefix, fault.getMessage());
    }
  }

  /** A watch is over, and waits no more. */
  synchronized void forgets(EtcdWatch watch) {
    if (waiting.remove(watch) && waiting.isEmpty()) {
      is(Optional.empty());
    }
  }

  /** A watch goes on. */
  synchronized void ends(EtcdWatch watch) {
    if (waiting.remove(watch) && waiting.isEmpty()) {
      log.info("registry: changes arrive again; none was missed");
      is(Optional.empty());
    }
  }
}

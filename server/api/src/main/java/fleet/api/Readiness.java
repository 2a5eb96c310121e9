package fleet.api;

import java.util.Optional;

/** Whether this fleetd can do its work. Safe for use by many threads. */
@FunctionalInterface
public interface Readiness {

  /** Why it cannot, for people, in one line; empty if it can. Waits at most a moment. */
  Optional<String> problem() throws InterruptedException;
}

package fleet.daemon.notify;

import java.util.Optional;

/** Finds out whether fleetd works. */
@FunctionalInterface
public interface HealthProbe {
  /** What is wrong, or nothing. May block; that counts as trouble too. */
  Optional<String> trouble() throws InterruptedException;
}

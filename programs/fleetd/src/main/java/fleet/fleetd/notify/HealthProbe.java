package fleet.fleetd.notify;

import java.util.Optional;

/** Finds out whether fleetd works. */
@FunctionalInterface
public interface HealthProbe {
  /** The problem, or nothing. May block; that counts as trouble too. */
  Optional<String> trouble() throws InterruptedException;
}

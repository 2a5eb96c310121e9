package fleet.fleetd.notify;

import java.util.Optional;

/** Finds out whether fleetd works, and what it does. */
public interface HealthProbe {
  /** The problem, or nothing. May block; that counts as trouble too. */
  Optional<String> trouble() throws InterruptedException;

  /** One line for {@code systemctl status}. */
  String status();
}

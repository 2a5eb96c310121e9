package fleet.daemon;

import fleet.core.machine.Machine;
import fleet.daemon.config.Configuration;
import fleet.daemon.machine.MachineFacts;
import fleet.daemon.notify.ServiceNotifier;
import java.util.Map;

/**
 * All that the parts of fleetd are started with.
 *
 * @param facts of this machine
 * @param notifier for a start that takes long
 */
public record Startup(
    Configuration configuration,
    MachineFacts facts,
    ServiceNotifier notifier,
    Map<String, String> environment) {

  /** This machine as it is now. */
  Machine machine() {
    return facts.machine();
  }
}

package fleet.fleetd;

import fleet.api.MetricStore;
import fleet.core.audit.AuditLog;
import fleet.core.machine.Machine;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.machine.MachineFacts;
import fleet.fleetd.notify.ServiceNotifier;
import fleet.systemd.dbus.ManagerAddress;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The inputs of all parts of fleetd.
 *
 * @param facts of this machine
 * @param notifier for a start that takes long
 * @param failed told why a start that went on beside cannot be finished
 * @param audit where decisions are written down
 * @param metrics of this process
 */
public record StartupInputs(
    Configuration configuration,
    MachineFacts facts,
    ServiceNotifier notifier,
    Map<String, String> environment,
    Consumer<Exception> failed,
    AuditLog audit,
    MetricStore metrics) {

  /** Where the systemd is that runs this machine's units. */
  ManagerAddress manager() {
    return ManagerAddress.of(configuration.systemdUser(), environment);
  }

  /** This machine as it is now. */
  Machine machine() {
    return facts.machine();
  }
}

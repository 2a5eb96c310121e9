package fleet.fleetd;

import fleet.api.MetricStore;
import fleet.core.audit.AuditLog;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.machine.MachineFacts;
import fleet.fleetd.notify.ServiceNotifier;
import java.util.Map;

/** The inputs of parts that nobody listens to. */
final class QuietStartup {

  private QuietStartup() {}

  static StartupInputs of(Configuration configuration, MachineFacts facts) {
    return new StartupInputs(
        configuration,
        facts,
        ServiceNotifier.of(Map.of()),
        Map.of(),
        _ -> {},
        AuditLog.NONE,
        new MetricStore());
  }
}

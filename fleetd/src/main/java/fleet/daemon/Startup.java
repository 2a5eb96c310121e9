package fleet.daemon;

import fleet.core.machine.Machine;
import fleet.daemon.config.Configuration;
import fleet.daemon.notify.ServiceNotifier;
import java.util.Map;

/**
 * All that the parts of fleetd are started with.
 *
 * @param machine this one
 * @param notifier for a start that takes long
 */
public record Startup(
    Configuration configuration,
    Machine machine,
    ServiceNotifier notifier,
    Map<String, String> environment) {}

package fleet.fleetd;

import fleet.systemd.ServiceJob;
import fleet.systemd.SystemdException;
import fleet.systemd.dbus.ManagerAddress;
import fleet.systemd.dbus.ServiceConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * This process as systemd manages it.
 *
 * @param user whether by the manager of the user, not of the system
 */
record OwnSystemdService(Map<String, String> environment, boolean user)
    implements LifeCycle.OwnService {

  /** For systemd to answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  @Override
  public ServiceJob job() {
    try {
      return ServiceConnection.jobOf(manager(), pid(), PATIENCE);
    } catch (SystemdException e) {
      return new ServiceJob.Unknown(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Optional<String> stopSocket() {
    return ServiceConnection.stopSocket(manager(), pid(), PATIENCE);
  }

  private ManagerAddress manager() {
    return user ? ManagerAddress.ofUser(environment) : ManagerAddress.ofSystem();
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }
}

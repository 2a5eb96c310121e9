package fleet.fleetd;

import fleet.api.listen.ListenException;
import fleet.fleetd.config.ConfigurationException;
import fleet.fleetd.machine.UnidentifiedMachineException;
import fleet.registry.RegistryException;
import fleet.systemd.SystemdException;
import fleet.trust.TrustException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/** Puts into one line why fleetd cannot go on. */
final class Failures {
  private Failures() {}

  static String describe(Throwable thrown) {
    String text =
        switch (thrown) {
          case ConfigurationException e -> message(e);
          case FatalException e -> message(e);
          case UnidentifiedMachineException e -> message(e);
          case RegistryException e -> message(e);
          case SystemdException e -> message(e);
          case ListenException e -> message(e);
          case TrustException e -> message(e);
          case AccessDeniedException e -> e.getFile() + ": permission denied";
          case FileSystemException e -> e.getReason() == null ? e.toString() : message(e);
          default -> thrown.toString();
        };
    return text.lines().reduce((first, next) -> first + " " + next.strip()).orElse("");
  }

  private static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.toString() : message;
  }
}

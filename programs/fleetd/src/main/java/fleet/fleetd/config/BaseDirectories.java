package fleet.fleetd.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where files go unless told otherwise: for the system's systemd, or for a user's. */
final class BaseDirectories {
  private static final String RUNTIME = "XDG_RUNTIME_DIR";

  private final boolean user;
  private final Map<String, String> environment;

  BaseDirectories(boolean user, Map<String, String> environment) {
    this.user = user;
    this.environment = environment;
  }

  Path units() throws ConfigurationException {
    return runtime().resolve("units");
  }

  Path runtime() throws ConfigurationException {
    return run().resolve("fleet");
  }

  Path socket() throws ConfigurationException {
    return run().resolve("fleet.sock");
  }

  Path data() throws ConfigurationException {
    if (!user) {
      return Path.of("/var/lib/fleet");
    }
    Optional<Path> state = directory("XDG_STATE_HOME");
    if (state.isPresent()) {
      return state.get().resolve("fleet");
    }
    return directory("HOME")
        .map(home -> home.resolve(".local/state/fleet"))
        .orElseThrow(() -> missing("HOME", "set it, or set data_directory"));
  }

  private Path run() throws ConfigurationException {
    if (!user) {
      return Path.of("/run");
    }
    return directory(RUNTIME)
        .orElseThrow(() ->
            missing(
                RUNTIME,
                "log in with a session of your own, or let root run"
                    + " \"loginctl enable-linger USER\""));
  }

  private Optional<Path> directory(String variable) {
    // The base directory specification has relative paths ignored.
    return Optional.ofNullable(environment.get(variable)).map(Path::of).filter(Path::isAbsolute);
  }

  private static ConfigurationException missing(String variable, String remedy) {
    return new ConfigurationException(
        "environment: %s is not set to a directory, which systemd_user=true needs: %s"
            .formatted(variable, remedy));
  }
}

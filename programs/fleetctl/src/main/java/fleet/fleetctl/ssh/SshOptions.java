package fleet.fleetctl.ssh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The options of ssh that fleetctl sets. All others are those of ssh's own configuration.
 *
 * @param user empty for the one that ssh chooses
 * @param timeout the limit for connecting
 * @param strict whether to check host keys; empty for what ssh does
 * @param knownHosts a file, a tilde is the home directory; empty for fleet 1.0's and that of ssh
 * @param environment the variables {@code PATH}, {@code HOME} and {@code XDG_RUNTIME_DIR} count
 */
public record SshOptions(
    String user,
    Duration timeout,
    Optional<Boolean> strict,
    String knownHosts,
    Map<String, String> environment) {

  Path home() {
    return Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/")));
  }

  Path knownHostsFile() {
    if (knownHosts.isEmpty()) {
      return home().resolve(".fleetctl/known_hosts");
    }
    return knownHosts.startsWith("~/")
        ? home().resolve(knownHosts.substring(2))
        : Path.of(knownHosts);
  }

  boolean checksHosts() {
    return strict.orElse(true);
  }

  /** A reason why ssh may have found no key; empty if there is none. */
  public String agentHint() {
    return environment.getOrDefault("SSH_AUTH_SOCK", "").isEmpty()
        ? "SSH_AUTH_SOCK environment variable is not set. Verify ssh-agent is running."
        : "";
  }
}

package fleet.daemon.config;

/**
 * A configuration that fleetd cannot start with. The message is one line: where, what, what to do.
 */
public final class ConfigurationException extends Exception {
  public ConfigurationException(String message) {
    super(message);
  }
}

package fleet.fleetd.config;

/**
 * A configuration that fleetd cannot start with. The message is one line: where, what, what to do.
 */
public final class ConfigurationException extends Exception {
  private final boolean mayPass;

  public ConfigurationException(String message) {
    this(message, false);
  }

  private ConfigurationException(String message, boolean mayPass) {
    super(message);
    this.mayPass = mayPass;
  }

  /** A file could not be read: its disk may only be late. */
  static ConfigurationException unread(String message) {
    return new ConfigurationException(message, true);
  }

  /** Whether it may end by itself. */
  public boolean mayPass() {
    return mayPass;
  }
}

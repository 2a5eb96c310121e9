package fleet.fleetd.config;

/**
 * One option as somebody set it.
 *
 * @param origin where, such as {@code /etc/fleet/fleet.conf:7} or {@code environment}
 * @param name as it is called there
 */
record ConfiguredOption(Option option, String value, String origin, String name) {

  /** The origin of what was given to fleetd itself. */
  static final String COMMAND_LINE = "command line";

  boolean isOfCommandLine() {
    return origin.equals(COMMAND_LINE);
  }

  <T> T as(ValueType<T> type) throws ConfigurationException {
    try {
      return type.parse().apply(value);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw refused("\"" + value + "\" is not valid, expected " + type.expected() + commentHint());
    }
  }

  ConfigurationException refused(String reason) {
    return new ConfigurationException(origin + ": " + name + ": " + reason);
  }

  private String commentHint() {
    return value.contains(" #") || value.contains(" ;")
        ? " (a comment needs a line of its own)"
        : "";
  }
}

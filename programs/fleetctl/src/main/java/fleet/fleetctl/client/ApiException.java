package fleet.fleetctl.client;

/** fleetd answered with an error. */
public final class ApiException extends FleetException {

  private final int code;

  /**
   * @param code the HTTP status
   * @param message as fleetd says it; may be empty
   */
  public ApiException(int code, String message) {
    super(text(code, message));
    this.code = code;
  }

  public int code() {
    return code;
  }

  private static String text(int code, String message) {
    String said = message.isEmpty() ? "no reason given; its log may say more" : message;
    return code == 503
        ? "fleetd cannot serve now: "
            + said
            + " (HTTP 503); try again, or see: systemctl status fleet"
        : said + " (HTTP " + code + ")";
  }
}

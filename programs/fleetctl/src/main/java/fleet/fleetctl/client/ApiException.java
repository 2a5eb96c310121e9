package fleet.fleetctl.client;

import fleet.entities.ErrorBodyEntity;

/** fleetd answered with an error. */
public final class ApiException extends FleetException {

  private static final int UNAVAILABLE = 503;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int NOT_IMPLEMENTED = 501;

  private final int code;
  private final String type;

  /**
   * @param code the HTTP status
   * @param message as fleetd says it; may be empty
   */
  public ApiException(int code, String message) {
    this(code, message, "");
  }

  /**
   * @param type for programs; empty for most
   */
  ApiException(int code, String message, String type) {
    this(text(code, message), code, type);
  }

  private ApiException(String text, int code, String type) {
    super(text);
    this.code = code;
    this.type = type;
  }

  /** fleetd cannot start; the message says why and what to do. */
  static ApiException cannotStart(String message) {
    return new ApiException(message, UNAVAILABLE, "");
  }

  /** fleetd is too old for the request; the message says what to do. */
  static ApiException outdated(String message) {
    return new ApiException(message, NOT_IMPLEMENTED, "");
  }

  public int code() {
    return code;
  }

  /** Whether fleetd cannot serve now, as while nobody leads. */
  public boolean isUnavailable() {
    return code == UNAVAILABLE;
  }

  public boolean isNotFound() {
    return code == NOT_FOUND;
  }

  /** Whether something is not as the request expects it. */
  public boolean isConflict() {
    return code == CONFLICT;
  }

  /** Whether a change was refused that is possible only on all units at once. */
  public boolean isNotInTurns() {
    return type.equals(ErrorBodyEntity.NOT_IN_TURNS);
  }

  private static String text(int code, String message) {
    String said = message.isEmpty() ? "no reason given; its log may say more" : message;
    return code == UNAVAILABLE
        ? "fleetd cannot serve now: "
            + said
            + " (HTTP 503); try again, or see: systemctl status fleet"
        : said + " (HTTP " + code + ")";
  }
}

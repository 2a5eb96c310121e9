package fleet.systemd;

/** systemd refused a call, or could not be reached. */
public final class SystemdException extends RuntimeException {

  private final String error;

  /**
   * @param error the D-Bus name of the error, such as {@code org.freedesktop.systemd1.NoSuchUnit};
   *     empty if the connection failed
   */
  public SystemdException(String error, String message, Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  public SystemdException(String error, String message) {
    super(message);
    this.error = error;
  }

  /** The D-Bus name of the error; empty if the connection failed. */
  public String error() {
    return error;
  }

  /** Whether systemd could not be reached, so that what was asked may or may not have happened. */
  public boolean isConnectionLost() {
    return error.isEmpty();
  }

  /** Whether a systemd of this version has no such property. */
  public boolean isNoSuchProperty() {
    return error.equals("org.freedesktop.DBus.Error.UnknownProperty");
  }

  public boolean isNoSuchUnit() {
    return error.equals("org.freedesktop.systemd1.NoSuchUnit");
  }
}

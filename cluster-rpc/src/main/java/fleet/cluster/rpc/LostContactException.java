package fleet.cluster.rpc;

/** The way to the leader failed. */
final class LostContactException extends Exception {

  private static final long serialVersionUID = 1;

  private final boolean perhapsDone;

  /**
   * Lost.
   *
   * @param perhapsDone whether the request may have reached the leader
   */
  LostContactException(String message, boolean perhapsDone, Throwable cause) {
    super(message, cause);
    this.perhapsDone = perhapsDone;
  }

  boolean perhapsDone() {
    return perhapsDone;
  }
}

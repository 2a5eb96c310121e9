package fleet.fleetctl.command;

import fleet.fleetctl.client.ApiException;

/** A command cannot go on; the message is what the user reads. */
public final class CommandException extends Exception {

  private static final int BAD_REQUEST = 400;

  private final int exitCode;

  private CommandException(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /** It did not work. */
  public static CommandException failed(String message) {
    return new CommandException(message, ExitCode.FAILED);
  }

  /** It was not called as it should be. */
  public static CommandException usage(String message) {
    return new CommandException(message, ExitCode.USAGE);
  }

  /**
   * fleetd found fault with what it was given.
   *
   * @throws ApiException if that is not why it refused
   */
  static CommandException of(ApiException refusal) throws ApiException {
    if (refusal.code() != BAD_REQUEST) {
      throw refusal;
    }
    return usage("Error: " + refusal.getMessage());
  }

  public int exitCode() {
    return exitCode;
  }
}

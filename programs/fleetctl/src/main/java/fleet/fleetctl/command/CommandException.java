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

  /** The command failed. */
  public static CommandException failed(String message) {
    return new CommandException(message, ExitCode.FAILED);
  }

  /** A usage error. */
  public static CommandException usage(String message) {
    return new CommandException(message, ExitCode.USAGE);
  }

  /**
   * fleetd refused the arguments.
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

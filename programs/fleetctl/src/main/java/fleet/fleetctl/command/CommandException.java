package fleet.fleetctl.command;

/** A command cannot go on; the message is what the user reads. */
public final class CommandException extends Exception {

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

  public int exitCode() {
    return exitCode;
  }
}

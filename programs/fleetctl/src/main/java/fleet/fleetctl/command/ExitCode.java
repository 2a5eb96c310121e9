package fleet.fleetctl.command;

/** Exit codes for scripts. */
public final class ExitCode {

  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  /** A plan that is not empty. */
  public static final int CHANGES = 3;

  /** No unit is active, as systemctl is-active has it. */
  public static final int NOT_ACTIVE = 3;

  /** There is no such unit, or nobody knows its state. */
  public static final int UNKNOWN_STATE = 4;

  /** As a program that SIGPIPE ended. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCode() {}
}

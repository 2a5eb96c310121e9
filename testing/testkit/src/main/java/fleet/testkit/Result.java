package fleet.testkit;

/**
 * The outcome of a command.
 *
 * @param command the command line, for messages
 * @param exitCode its exit code; 128 + n when signal n ended it
 * @param stdout what it wrote, without trailing line ends
 * @param stderr what it complained about, without trailing line ends
 */
public record Result(String command, int exitCode, String stdout, String stderr) {

  /** Whether the command ended with exit code 0. */
  public boolean ok() {
    return exitCode == 0;
  }

  /** This result, or an assertion error that shows it when the exit code is not 0. */
  public Result orThrow() {
    if (!ok()) {
      throw new AssertionError(this);
    }
    return this;
  }

  @Override
  public String toString() {
    return "`%s` ended with %d%n%s%n%s".formatted(command, exitCode, stdout, stderr).strip();
  }
}

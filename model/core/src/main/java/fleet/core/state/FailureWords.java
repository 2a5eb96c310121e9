package fleet.core.state;

import java.util.Map;

/** Why a unit failed, in words, by systemd's result and the end of its main process. */
public final class FailureWords {

  /** The commonest of systemd's own exit codes, of a process that never came to its program. */
  private static final Map<Integer, String> BEFORE_THE_PROGRAM =
      Map.of(
          200, "its working directory cannot be entered",
          203, "its program cannot be executed",
          216, "its group is not known",
          217, "its user is not known",
          226, "its namespaces cannot be set up");

  private FailureWords() {}

  /**
   * A few words such as {@code exit code 1}; empty if systemd gives no reason.
   *
   * @param result as systemd has it
   * @param exitCode 0 if it is not known, or the process did not exit by itself
   * @param exitSignal 0 for none
   */
  public static String of(String result, int exitCode, int exitSignal) {
    String signal = SignalNames.of(exitSignal);
    return switch (result) {
      case "", "success" -> "";
      case "exit-code" -> exitCode == 0 ? "its process exited with an error" : exit(exitCode);
      case "signal" -> exitSignal == 0 ? "killed by a signal" : "killed by " + signal;
      case "core-dump" -> exitSignal == 0 ? "dumped core" : "dumped core (" + signal + ")";
      case "oom-kill" -> "killed: out of memory";
      case "timeout" -> "timed out";
      case "watchdog" -> "its watchdog heard nothing of it";
      case "start-limit-hit" -> "started too often";
      default -> result;
    };
  }

  public static String of(SystemdState state) {
    return of(state.result(), state.exitCode(), state.exitSignal());
  }

  private static String exit(int code) {
    String meaning = BEFORE_THE_PROGRAM.get(code);
    return "exit code " + code + (meaning == null ? "" : ": " + meaning);
  }
}

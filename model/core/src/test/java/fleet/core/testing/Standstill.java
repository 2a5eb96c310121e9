package fleet.core.testing;

import java.io.IOException;

/** Stops processes and lets them go on, by signals. For any thread. */
public final class Standstill {

  /**
   * A signal is taken by one thread, and the others run on until that one has had its turn, which
   * takes a while on a busy machine.
   */
  private static final String FREEZE =
      """
      kill -STOP "$1"
      while grep -LE '^State:\\s+T' /proc/"$1"/task/*/status | grep -q .; do sleep 0.01; done
      """;

  private static final String THAW = "kill -CONT \"$1\"";

  private Standstill() {}

  /** Returns once no thread of the process runs any more. */
  public static void freeze(Process process) throws IOException, InterruptedException {
    run(FREEZE, process);
  }

  public static void thaw(Process process) throws IOException, InterruptedException {
    run(THAW, process);
  }

  private static void run(String script, Process process) throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    Process shell = new ProcessBuilder("sh", "-e", "-c", script, "sh", pid).inheritIO().start();
    if (shell.waitFor() != 0) {
      throw new AssertionError("no signal for process " + pid + ": " + script);
    }
  }
}

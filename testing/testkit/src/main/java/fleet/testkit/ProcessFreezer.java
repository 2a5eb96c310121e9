package fleet.testkit;

/** The command that makes a process stand still. For any thread. */
final class ProcessFreezer {

  /**
   * A signal is taken by one thread, and the others run on until that one has had its turn, which
   * takes a while on a busy machine.
   */
  private static final String SCRIPT =
      """
      kill -STOP "$1"
      while grep -LE '^State:\\s+T' /proc/"$1"/task/*/status | grep -q .; do sleep 0.01; done
      """;

  private ProcessFreezer() {}

  /** It ends once no thread of the process runs any more. */
  static String[] command(String pid) {
    return new String[] {"sh", "-e", "-c", SCRIPT, "sh", pid};
  }
}

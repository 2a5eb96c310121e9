package fleet.bench.node;

import fleet.testkit.BootedMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * Times commands inside of a machine, from before the fork to after the wait, as a shell's user
 * would. How this process gets into the machine is not part of it.
 */
public final class Stopwatch {

  // The builtin ends with a line of what ended children used: of the command, as there is no other.
  private static final String TIMED =
      """
      out=/run/bench-output
      start=$EPOCHREALTIME
      "$@" >$out 2>&1 </dev/null
      code=$?
      end=$EPOCHREALTIME
      [ $code = 0 ] || { tail -n 20 $out >&2; exit $code; }
      echo "$start $end"
      times
      """;

  /** Reading line by line costs time of its own, so this is for few lines. */
  private static final String TIMED_WITH_LINES =
      """
      set -o pipefail
      start=$EPOCHREALTIME
      "$@" 2>&1 </dev/null | while IFS= read -r line; do echo "$EPOCHREALTIME $line"; done
      code=$?
      echo "$start $EPOCHREALTIME"
      times
      exit $code
      """;

  private final BootedMachine machine;

  public Stopwatch(BootedMachine machine) {
    this.machine = machine;
  }

  /**
   * Runs a command and throws its output away.
   *
   * @throws AssertionError with the end of its output, if its exit code is not 0
   */
  public CommandTiming time(String... command) {
    return run(TIMED, command);
  }

  /** The same, with the moment in which each line of the output came. */
  public CommandTiming timeLines(String... command) {
    return run(TIMED_WITH_LINES, command);
  }

  private CommandTiming run(String script, String... command) {
    List<String> line = new ArrayList<>(List.of("bash", "-c", script, "bench"));
    line.addAll(List.of(command));
    String output = machine.succeed(line.toArray(String[]::new));
    return CommandTiming.parse(output);
  }
}

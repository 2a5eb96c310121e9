package fleet.fleetctl.wait;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.Verdict.Failed;
import fleet.fleetctl.wait.Verdict.FailedOnSome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Tells why units failed, with the last lines of their journals. For one thread. */
public final class FailureReport {

  private static final int LINES = 10;

  /** The same line may be repeated. */
  private static final int READ = 100;

  /** The length of a line's time, such as {@code Nov 25 20:28:22}. */
  private static final int TIME = 15;

  /** A command on a thousand broken units must not read a thousand journals. */
  private static final int JOURNALS = 10;

  /** The machines of a global unit whose reasons are told. */
  private static final int MACHINES = 3;

  private final FleetClient client;
  private final Output output;
  private int journals;

  public FailureReport(FleetClient client, Output output) {
    this.client = client;
    this.output = output;
  }

  void tell(String unit, String why, String machine) {
    output.problem("Error waiting for units: unit " + unit + " " + why);
    if (!machine.isEmpty() && journals++ < JOURNALS) {
      journal(unit, machine);
    }
  }

  /** Tells of the first machines on which a global unit failed, and counts the others. */
  void tell(String unit, FailedOnSome failed, UnaryOperator<String> machines) {
    List<Failed> failures = failed.failures();
    for (Failed one : failures.subList(0, Math.min(MACHINES, failures.size()))) {
      tell(unit, one.why().line(machines), one.machine());
    }
    if (failures.size() > MACHINES) {
      output.problem(
          "Error waiting for units: unit %s failed on %d of %d machines"
              .formatted(unit, failures.size(), failed.of()));
    }
  }

  void timedOut(String unit, String state, String progress) {
    output.problem(
        "Error waiting for units: timed out waiting for unit "
            + (unit + " to report state " + state)
            + (" (" + progress + ")"));
  }

  /** A line of a journal, and how many in a row say the same. */
  private record RepeatedLine(String line, int times) {

    boolean isSaidBy(String other) {
      return other.length() > TIME
          && line.length() > TIME
          && other.substring(TIME).equals(line.substring(TIME));
    }

    @Override
    public String toString() {
      return times == 1 ? line : line + " (" + times + " times)";
    }
  }

  private static List<RepeatedLine> distinctLines(String journal) {
    List<RepeatedLine> lines = new ArrayList<>();
    for (String line : journal.lines().filter(line -> !line.startsWith("-- ")).toList()) {
      boolean again = !lines.isEmpty() && lines.getLast().isSaidBy(line);
      int before = again ? lines.removeLast().times() : 0;
      lines.add(new RepeatedLine(line, before + 1));
    }
    return lines;
  }

  private void journal(String unit, String machine) {
    try {
      Optional<HttpAnswer> answer = client.streams().journal(unit, READ, false, "short", machine);
      if (answer.isEmpty()) {
        output.problem("  (see: fleetctl journal " + unit + ")");
        return;
      }
      try (HttpAnswer journal = answer.get()) {
        String text = new String(journal.stream().readAllBytes(), StandardCharsets.UTF_8);
        List<RepeatedLine> lines = distinctLines(text);
        for (RepeatedLine one : lines.subList(Math.max(0, lines.size() - LINES), lines.size())) {
          output.problem("  " + one);
        }
      }
    } catch (FleetException | IOException e) {
      output.problem("  (its journal cannot be read: " + e.getMessage() + ")");
    }
  }
}

package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.http.HttpStream;
import fleet.ctl.output.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Tells why units failed, with the last lines of their journals. For one thread. */
public final class FailureReport {

  private static final int LINES = 10;

  /** A command on a thousand broken units is not to ask for a thousand journals. */
  private static final int JOURNALS = 10;

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

  void timedOut(String unit, String state, String progress) {
    output.problem(
        "Error waiting for units: timed out waiting for unit "
            + (unit + " to report state " + state)
            + (" (" + progress + ")"));
  }

  private void journal(String unit, String machine) {
    try {
      Optional<HttpStream> answer = client.journal(unit, LINES, false, "short", machine);
      if (answer.isEmpty()) {
        output.problem("  (see: fleetctl journal " + unit + ")");
        return;
      }
      try (HttpStream journal = answer.get()) {
        String text = new String(journal.body().readAllBytes(), StandardCharsets.UTF_8);
        text.lines()
            .filter(line -> !line.startsWith("-- "))
            .forEach(line -> output.problem("  " + line));
      }
    } catch (FleetException | IOException e) {
      output.problem("  (its journal cannot be read: " + e.getMessage() + ")");
    }
  }
}

package fleet.fleetctl.client;

import fleet.core.question.TerminalWindow;
import fleet.entities.ExecEntity;
import fleet.entities.ExecInputEntity;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;

/** Commands that run on machines. Safe for use by many threads. */
public final class ExecClient {

  private static final String SESSION = "fleet-exec-session";
  private static final String LACKING = "is too old to run commands on machines";

  private final ApiCalls calls;

  ExecClient(ApiCalls calls) {
    this.calls = calls;
  }

  /** A command that has begun: what it writes, as frames, and the name for its input. */
  public record Begun(HttpAnswer answer, String session) {}

  /** Runs a command. */
  public Begun run(String machine, ExecEntity command) throws FleetException {
    HttpAnswer answer =
        calls.retriedStream(
            calls.json("POST", MachinesClient.path(machine) + "/exec", command), LACKING);
    return new Begun(
        answer,
        answer
            .header(SESSION)
            .orElseThrow(() ->
                new ApiException(
                    answer.status(), "what answers at " + calls.endpoint() + " is not fleetd")));
  }

  /**
   * Sends input for a command.
   *
   * @param offset how many bytes came before
   * @param last whether this is the end of the input
   * @return how many bytes the command has been given in total
   */
  public long input(String machine, String session, long offset, byte[] data, boolean last)
      throws FleetException {
    String path = path(machine, session) + "&offset=" + offset + (last ? "&last=1" : "");
    HttpRequest request = HttpRequest.bytes("PUT", path, data);
    return calls.read(ExecInputEntity.class, calls.call(request, LACKING)).taken();
  }

  /** The terminal has another size. */
  public void resize(String machine, String session, TerminalWindow window) throws FleetException {
    String size = "&rows=" + window.rows() + "&columns=" + window.columns();
    HttpAnswer _ = calls.order(HttpRequest.of("PUT", path(machine, session) + size), LACKING);
  }

  private static String path(String machine, String session) {
    return MachinesClient.path(machine) + "/exec-input?session=" + HttpRequest.escape(session);
  }
}

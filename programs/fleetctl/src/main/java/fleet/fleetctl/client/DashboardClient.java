package fleet.fleetctl.client;

import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import java.io.IOException;

/** Requests that a browser makes through fleetctl. Safe for use by many threads. */
public final class DashboardClient {

  private final ApiCalls calls;

  DashboardClient(ApiCalls calls) {
    this.calls = calls;
  }

  /**
   * Checks that there is a dashboard, and that the caller may see it.
   *
   * @throws ApiException also if the daemon is too old
   */
  public void expectThere() throws FleetException {
    calls.order(HttpRequest.get("/"), "has no dashboard");
  }

  /** The address of fleetd, for messages. */
  public String endpoint() {
    return calls.endpoint();
  }

  /** Passes on a request; {@link #giveBack} ends the answer, which may be a refusal. */
  public HttpAnswer relay(HttpRequest request) throws IOException {
    return calls.relay(request);
  }

  /** Ends an answer; its connection is kept if it was read whole. */
  public void giveBack(HttpAnswer answer) throws IOException {
    calls.giveBack(answer);
  }
}

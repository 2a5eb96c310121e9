package fleet.cluster.request;

import java.io.IOException;

/** Answers requests of API v1. Safe for use by many threads. */
@FunctionalInterface
public interface ApiHandler {

  /**
   * Answers.
   *
   * @throws fleet.cluster.NotLeadingException if another fleetd has to be asked, and nothing was
   *     done
   * @throws fleet.cluster.ClusterUnavailableException if nobody can answer now
   * @throws IOException if the answer broke off
   */
  void handle(ApiRequest request, ApiAnswer answer) throws IOException, InterruptedException;
}

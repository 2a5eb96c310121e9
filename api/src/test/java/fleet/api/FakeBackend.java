package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.JoinTokens;
import fleet.cluster.request.ApiHandler;
import java.util.Optional;

/** A fleetd that leads. */
record FakeBackend(Cluster cluster, JoinTokens tokens) implements Backend {

  @Override
  public Optional<Server> server() {
    return Optional.of(new Server(cluster, cluster, tokens));
  }

  @Override
  public Optional<ApiHandler> leader() {
    return Optional.empty();
  }
}

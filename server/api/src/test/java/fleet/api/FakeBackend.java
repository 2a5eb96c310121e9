package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterAuthority;
import fleet.cluster.JoinTokens;
import fleet.cluster.Logins;
import fleet.cluster.MachineTrust;
import fleet.cluster.request.ApiHandler;
import java.util.Optional;

/** A fleetd that leads. */
record FakeBackend(
    Cluster cluster,
    JoinTokens tokens,
    MachineTrust trust,
    ClusterAuthority authority,
    AccessGrants grants,
    Logins logins)
    implements Backend {

  FakeBackend(Cluster cluster, JoinTokens tokens, MachineTrust trust, AccessGrants grants) {
    this(cluster, tokens, trust, new FakeClusterAuthority(), grants, new FakeLogins(grants));
  }

  FakeBackend(Cluster cluster, JoinTokens tokens, AccessGrants grants) {
    this(cluster, tokens, new FakeTrust(), grants);
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(
        new Server(cluster, new Own(cluster, tokens, trust, authority, grants, logins)));
  }

  @Override
  public Optional<ApiHandler> leader() {
    return Optional.empty();
  }
}

package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterAuthority;
import fleet.cluster.JoinTokens;
import fleet.cluster.Logins;
import fleet.cluster.MachineTrust;
import fleet.cluster.request.ApiHandler;
import java.util.Optional;

/**
 * The present sources of a fleetd's answers. Safe for use by many threads.
 *
 * <p>Every call throws {@link fleet.cluster.ClusterUnavailableException} if it is not there yet.
 */
public interface Backend {

  /** This fleetd's own registry; empty if other servers keep it. */
  Optional<Server> server();

  /**
   * The leader, which answers while this fleetd's engine does not lead; empty if the registry is
   * enough to answer.
   */
  Optional<ApiHandler> leader();

  /** For a machine that has joined a cluster: its servers answer everything. */
  static Backend joined(ApiHandler leader) {
    return new Backend() {
      @Override
      public Optional<Server> server() {
        return Optional.empty();
      }

      @Override
      public Optional<ApiHandler> leader() {
        return Optional.of(leader);
      }
    };
  }

  /**
   * For a server with a registry.
   *
   * @param leading answers as only the leader can: throws {@link fleet.cluster.NotLeadingException}
   *     if another engine leads
   * @param any writes under any leader, and reads what the registry has
   */
  record Server(Cluster leading, Own any) {

    Own asLeader() {
      return any.with(leading);
    }
  }

  /** The sources of the answer to one request. */
  record Own(
      Cluster cluster,
      JoinTokens tokens,
      MachineTrust trust,
      ClusterAuthority authority,
      AccessGrants grants,
      Logins logins) {

    Own with(Cluster other) {
      return new Own(other, tokens, trust, authority, grants, logins);
    }
  }
}

package fleet.fleetd.config;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** The options that make this machine part of a cluster whose registry others keep. */
final class JoinSection {

  private final Settings settings;

  JoinSection(Settings settings) {
    this.settings = settings;
  }

  /** Empty if no server is named. */
  Optional<Configuration.Join> read() throws ConfigurationException {
    Optional<ConfiguredOption> join = settings.find(Option.JOIN);
    if (join.isEmpty()) {
      refuseTokenAlone();
      return Optional.empty();
    }
    Optional<String> token = settings.find(Option.TOKEN, ValueType.TEXT);
    Optional<ConfiguredOption> direct = settings.find(Option.ENABLE_GRPC);
    if (direct.isPresent() && !direct.get().as(ValueType.BOOLEAN)) {
      throw join.get()
          .refused(
              "needs enable_grpc, which %s sets to false: a machine that joins speaks to the leader"
                      .formatted(direct.get().origin())
                  + " itself; remove one of them");
    }
    if (settings.find(Option.ETCD_SERVERS).isPresent()) {
      throw join.get()
          .refused(
              "excludes etcd_servers: either this machine has the cluster's registry, or it joins"
                  + " those who have it; remove one of them");
    }
    List<InetSocketAddress> servers =
        join.get().as(ValueType.servers(Configuration.Join.DEFAULT_PORT));
    if (servers.isEmpty()) {
      throw join.get().refused("names no server: write one such as 10.0.0.1, or remove the option");
    }
    return Optional.of(new Configuration.Join(servers, token));
  }

  /** A machine with a token is meant to join: a cluster of its own would be wrong. */
  private void refuseTokenAlone() throws ConfigurationException {
    Optional<ConfiguredOption> token = settings.find(Option.TOKEN);
    boolean server = settings.find(Option.ETCD_SERVERS).isPresent();
    if (token.isPresent() && (token.get().isOfCommandLine() || !server)) {
      throw token
          .get()
          .refused(
              "lets this machine into no cluster: name its servers with --join, or in join; or remove"
                  + " the token");
    }
    token.ifPresent(_ -> settings.warn("token has no effect: etcd_servers is set, and not join"));
  }
}

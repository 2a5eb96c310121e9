package fleet.bench.scale;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** How machines talk to the leader. */
public enum BenchTransport {
  /** Over RPC in plain text. */
  PLAIN {
    @Override
    void configure(FleetMachine server) {
      server.set("enable_grpc", "true").set("rpc_insecure", "true");
    }

    @Override
    List<String> to(FleetCluster cluster) {
      return List.of(join(cluster));
    }
  },
  /** Over RPC as machines do by default: both sides show certificates. */
  TLS {
    @Override
    void configure(FleetMachine server) {
      server.set("enable_grpc", "true");
    }

    @Override
    List<String> to(FleetCluster cluster) {
      String token = cluster.leader().succeed("token").strip();
      return List.of(join(cluster), "token=" + token);
    }
  },
  /** Through etcd. */
  STORE {
    @Override
    void configure(FleetMachine server) {
      server.set("enable_grpc", "false");
    }

    @Override
    List<String> to(FleetCluster cluster) {
      return List.of(
          cluster.etcd().endpoints().stream()
              .map(URI::toString)
              .collect(Collectors.joining(",", "etcd=", "")));
    }
  };

  private static final int RPC_PORT = 50059;

  /** Sets up a server of the cluster before it starts. */
  abstract void configure(FleetMachine server);

  /** The settings by which hollow machines reach this cluster. */
  abstract List<String> to(FleetCluster cluster);

  private static String join(FleetCluster cluster) {
    return cluster.machines().stream()
        .map(server -> server.machine().address() + ":" + RPC_PORT)
        .collect(Collectors.joining(",", "join=", ""));
  }
}

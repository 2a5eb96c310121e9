package fleet.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Servers, and machines that have joined them with a token and have no registry of their own. With
 * one server whose registry is embedded it is the small cluster that needs nothing else.
 */
public final class JoinedCluster {

  private final List<FleetMachine> servers;
  private final List<FleetMachine> joined = new ArrayList<>();

  /** Servers that run, and nobody has joined yet. */
  public JoinedCluster(List<FleetMachine> servers) {
    this.servers = List.copyOf(servers);
  }

  /**
   * Boots one server with an embedded registry and machines that join it, and returns when each of
   * them lists all.
   *
   * @param configuration lines of {@code fleet.conf} on all of them
   */
  public static JoinedCluster boot(Machines machines, int joining, String... configuration) {
    return boot(machines, OperatingSystem.HOST, joining, configuration);
  }

  /** The same with an operating system that all of them run. */
  public static JoinedCluster boot(
      Machines machines, OperatingSystem system, int joining, String... configuration) {
    List<FleetMachine> booted =
        machines.boot(system, 1 + joining).stream().map(FleetMachine::new).toList();
    booted.getFirst().configureServer(configuration).install();
    return of(List.of(booted.getFirst()), booted.subList(1, booted.size()), configuration);
  }

  /** Has machines join servers that run, and returns when each of them lists all. */
  public static JoinedCluster of(
      List<FleetMachine> servers, List<FleetMachine> joining, String... configuration) {
    var cluster = new JoinedCluster(servers);
    cluster.join(joining, cluster.token(), configuration);
    return cluster;
  }

  /** Has more machines join with a token, and returns when each machine lists all. */
  public void join(List<FleetMachine> joining, String token, String... configuration) {
    BackgroundTasks.each(
        joining, one -> one.configureJoined(addresses(), token, configuration).install());
    joined.addAll(joining);
    // Tests command the cluster from any machine; JoinedMachineAccessTest has those that may not.
    joining.forEach(one ->
        server().succeed("access", "grant", "machine:" + one.machine().id(), "--role=admin"));
    members().awaitListed();
  }

  /** The first server. */
  public FleetMachine server() {
    return servers.getFirst();
  }

  /** A machine that has joined, by its number, from 1. */
  public FleetMachine joined(int number) {
    return joined.get(number - 1);
  }

  /** Servers first. */
  public Members members() {
    return new Members(Stream.concat(servers.stream(), joined.stream()).toList());
  }

  /** A new token, made on the first server. */
  public String token(String... options) {
    return server()
        .succeed(
            Stream.concat(Stream.of("token", "create"), Stream.of(options)).toArray(String[]::new))
        .strip();
  }

  /** Where machines that join find the servers. */
  public List<String> addresses() {
    return servers.stream().map(one -> one.machine().address()).toList();
  }
}

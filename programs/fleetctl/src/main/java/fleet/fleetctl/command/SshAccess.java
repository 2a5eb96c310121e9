package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.http.ClientTls;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.InvalidEndpointException;
import fleet.fleetctl.ssh.SshOptions;
import fleet.fleetctl.ssh.SshProgram;
import fleet.fleetctl.ssh.SshTransports;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The ssh that global flags ask for. Used, and so loaded, only by those who need it. */
record SshAccess(GlobalOptions globals, CommandEnvironment session) {

  /** An IP address, with the interface of a local one. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.]+(%\\w+)?");

  /** Connects through ssh, as the endpoints or the tunnel say. */
  Dialer dialer(List<Endpoint> servers, ClientTls tls)
      throws InvalidEndpointException, CommandException {
    List<Endpoint> reached = new ArrayList<>();
    for (Endpoint server : servers) {
      reached.add(throughTunnel(server));
    }
    Optional<Endpoint.Ssh> host = tunnel();
    return new Dialer(reached, tls, Optional.of(new SshTransports(program(), host)));
  }

  private Endpoint throughTunnel(Endpoint server)
      throws InvalidEndpointException, CommandException {
    if (globals.tunnel.isEmpty()) {
      return server;
    }
    if (server instanceof Endpoint.Ssh) {
      throw CommandException.usage(
          "Error: --tunnel and an endpoint ssh:// name two hosts to go through: give one of them");
    }
    return server instanceof Endpoint.Unix unix
        ? Endpoint.Ssh.of(globals.tunnel, unix.path())
        : server;
  }

  private Optional<Endpoint.Ssh> tunnel() throws InvalidEndpointException {
    return globals.tunnel.isEmpty()
        ? Optional.empty()
        : Optional.of(Endpoint.Ssh.of(globals.tunnel, Endpoint.SOCKET));
  }

  private SshProgram program() throws CommandException {
    if (!globals.sshTimeout.isPositive()) {
      throw CommandException.usage("Error: --ssh-timeout must be more than 0");
    }
    return new SshProgram(
        new SshOptions(
            globals.sshUsername,
            globals.sshTimeout,
            Optional.ofNullable(globals.strictHostKeyChecking),
            globals.knownHostsFile,
            session.environment()));
  }

  /**
   * The address of a machine. Machines report theirs themselves: it must not become an option of
   * ssh.
   */
  static String address(List<MachineEntity> machines, String id) throws CommandException {
    String address =
        machines.stream()
            .filter(machine -> machine.id().equals(id))
            .map(MachineEntity::primaryIP)
            .findFirst()
            .orElse("");
    if (address.isEmpty()) {
      throw CommandException.failed("Could not determine address of machine.");
    }
    if (!ADDRESS.matcher(address).matches()) {
      throw CommandException.failed(
          "machine %s reports \"%s\", which is no IP address".formatted(id, address));
    }
    return address;
  }

  /**
   * The command line of ssh for a machine, which is reached as the cluster is.
   *
   * @param port 0 for that of ssh's configuration
   */
  List<String> line(
      FleetClient client, String address, int port, List<String> flags, List<String> words)
      throws CommandException {
    if (port < 0 || port > 65535) {
      throw CommandException.usage("Error: --ssh-port must be a port: 1 to 65535");
    }
    try {
      Optional<Endpoint.Ssh> way = way(client);
      String user = globals.sshUsername.isEmpty() ? way.map(Endpoint.Ssh::user).orElse("") : "";
      return program().line(way, new Endpoint.Ssh(user, address, port, ""), flags, words);
    } catch (InvalidEndpointException e) {
      throw CommandException.failed("Error: " + e.getMessage());
    } catch (IOException e) {
      throw CommandException.failed("Failed building SSH client: " + e.getMessage());
    }
  }

  /** The host that everything goes through, if there is one. */
  private Optional<Endpoint.Ssh> way(FleetClient client) throws InvalidEndpointException {
    String endpoint = client.endpoint();
    return endpoint.startsWith("ssh://") && Endpoint.parse(endpoint) instanceof Endpoint.Ssh there
        ? Optional.of(there)
        : tunnel();
  }

  /** Runs a line of ssh with this terminal; its exit code. */
  int run(List<String> line) throws CommandException {
    return run(new ProcessBuilder(line).inheritIO(), _ -> {});
  }

  /** The same, but for the output, which is copied to ours. */
  int copied(List<String> line) throws CommandException {
    return run(
        new ProcessBuilder(line)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(Redirect.INHERIT),
        process -> session.output().copy(process.getInputStream()));
  }

  private interface Meanwhile {
    void until(Process process) throws IOException;
  }

  private int run(ProcessBuilder ssh, Meanwhile meanwhile) throws CommandException {
    try {
      session.output().flush();
      Process process = ssh.start();
      meanwhile.until(process);
      int code = process.waitFor();
      String hint = code == SshProgram.FAILED ? program().options().agentHint() : "";
      if (!hint.isEmpty()) {
        session.output().problem("WARN " + hint);
      }
      return code;
    } catch (IOException e) {
      throw CommandException.failed("Failed building SSH client: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted");
    }
  }
}

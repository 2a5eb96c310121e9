package fleet.fleetctl.command;

import fleet.fleetctl.http.ClientTls;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.InvalidEndpointException;
import fleet.fleetctl.ssh.SshOptions;
import fleet.fleetctl.ssh.SshProgram;
import fleet.fleetctl.ssh.SshTransports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ssh that global flags ask for. Used, and so loaded, only by those who need it. */
final class SshAccess {

  private final GlobalOptions globals;
  private final CommandEnvironment session;

  SshAccess(GlobalOptions globals, CommandEnvironment session) {
    this.globals = globals;
    this.session = session;
  }

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
}

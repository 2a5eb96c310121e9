package fleet.fleetctl.command;

import fleet.core.access.LoginCode;
import fleet.entities.PersonEntity;
import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.InvalidEndpointException;
import fleet.fleetctl.login.CertificateClient;
import fleet.fleetctl.login.ClusterTls;
import fleet.fleetctl.login.PersonIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Turns the code of an invitation into a context. */
@Command(
    name = "login",
    header = "Log in to a cluster from a machine outside it",
    customSynopsis = "SERVER[:PORT][,SERVER...] CODE [--context=NAME]",
    description = {
      "\"fleetctl access invite NAME\" on a server prints this command, with a CODE that works",
      "once, within an hour. The private key is made here, for you alone, and never leaves this",
      "machine. The server is trusted only if it belongs to the cluster that issued the CODE. It",
      "issues a certificate; key and certificate become the context in use (see fleetctl",
      "context). Commands then use TLS, and go to the first server that answers.",
      "The certificate is valid for 7 days, and commands renew it after half of that. If it has",
      "ended, ask for another invitation. Without --context, the context is named after the first",
      "server. The default port is 50060."
    },
    exitCodeList = {
      "0:you are logged in, and the context is in use",
      "1:the code or the server is invalid, no server answers, or the context cannot be written"
    },
    footer = {
      "fleetctl login 10.0.0.1:50060 FLEET-LOGIN-1-...",
      "fleetctl login node1.example.org,node2.example.org FLEET-LOGIN-1-... --context=prod"
    })
final class LoginCommand extends FleetCommand {

  private static final int PORT = 50060;
  private static final Duration TOLERATED = Duration.ofMinutes(5);

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  @Override
  int run() throws CommandException {
    if (words.size() != 2) {
      throw CommandException.usage("Error: expect fleetctl login SERVER[:PORT] CODE");
    }
    List<Endpoint> servers = servers(words.getFirst());
    LoginCode code = code(words.getLast());
    Contexts contexts = new Contexts(session().environment());
    String name = globals.context.isEmpty() ? named(servers.getFirst()) : globals.context;
    // Fails before the code is used if the directory cannot be made.
    Path file = contexts.identity(name);
    Clock clock = Clock.systemUTC();
    try {
      Dialer dialer = new Dialer(servers, ClusterTls.of(code, clock));
      CertificateClient.Answer answer =
          new CertificateClient(dialer, globals.requestTimeout.toMillis()).login(code.text());
      PersonIdentity identity = answer.identity();
      identity.write(file);
      String endpoint = String.join(",", servers.stream().map(Endpoint::text).toList());
      contexts.write(name, new Contexts.Context(endpoint, ClientTlsFiles.NONE, Optional.of(file)));
      contexts.use(name);
      output()
          .line(
              "Logged in as %s, until %s and as long as you come back; context %s is in use"
                  .formatted(identity.name(), identity.expires(), name));
      warnOfClock(answer.entity(), clock.instant());
      return ExitCode.OK;
    } catch (IOException e) {
      throw CommandException.failed("Error: " + e.getMessage());
    }
  }

  private static LoginCode code(String text) throws CommandException {
    try {
      return LoginCode.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandException.failed("Error: " + e.getMessage());
    }
  }

  private static List<Endpoint> servers(String text) throws CommandException {
    List<Endpoint> servers = new ArrayList<>();
    for (String server : text.split(",", -1)) {
      if (server.contains("/") || server.isBlank()) {
        throw CommandException.usage(
            "Error: invalid server \"" + server + "\": expect HOST or HOST:PORT");
      }
      try {
        servers.add(Endpoint.parse("https://" + withPort(server.strip())));
      } catch (InvalidEndpointException e) {
        throw CommandException.usage("Error: " + e.getMessage());
      }
    }
    return servers;
  }

  private static String withPort(String server) {
    int colon = server.lastIndexOf(':');
    if (colon < 0 || server.endsWith("]")) {
      return server + ":" + PORT;
    }
    boolean bare = server.indexOf(':') != colon && !server.startsWith("[");
    return bare ? "[" + server + "]:" + PORT : server;
  }

  /** A context of that name, as far as its characters are those of names. */
  private static String named(Endpoint server) {
    String host = ((Endpoint.Tcp) server).name().replace(':', '-');
    return host.startsWith("-") ? "v6" + host : host;
  }

  private void warnOfClock(PersonEntity answer, Instant here) {
    try {
      Instant there = Instant.parse(answer.time());
      Duration ahead = Duration.between(there, here);
      if (ahead.abs().compareTo(TOLERATED) > 0) {
        output()
            .problem(
                "WARN the clock here says %s, and the server's %s: set it, or certificates end early"
                    .formatted(here, there));
      }
    } catch (DateTimeException e) {
      // It does not say.
      return;
    }
  }
}

package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.http.ClientTls;
import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.HttpClient;
import fleet.fleetctl.http.InvalidEndpointException;
import fleet.fleetctl.login.ClusterTls;
import fleet.fleetctl.login.PersonIdentity;
import fleet.fleetctl.login.PersonRenewal;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that every command takes. Each can be set by {@code FLEETCTL_} and its name. */
public final class GlobalOptions {

  private static final String NO_ETCD =
      "the driver etcd is not supported: fleetctl talks to fleetd, see --endpoint";

  @Option(
      names = {"-h", "--help", "--h"},
      usageHelp = true,
      description = "Show what the command does.")
  boolean help;

  @Option(names = "--debug", description = "Write each request to fleetd to standard error.")
  boolean debug;

  @Option(names = "--version", hidden = true)
  boolean version;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      defaultValue = "",
      description =
          "The address of fleetd: unix:///PATH, http://HOST:PORT, https://HOST:PORT or"
              + " ssh://[USER@]HOST. Default: the context in use, or unix:///var/run/fleet.sock.")
  String endpoint = "";

  @Option(
      names = "--context",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The name of the context to use; none for this machine. See fleetctl context.")
  String context = "";

  @Option(
      names = {"--ca-file", "--etcd-cafile"},
      paramLabel = "FILE",
      defaultValue = "",
      description = "PEM: the authorities to trust for an https endpoint.")
  String caFile = "";

  @Option(
      names = {"--cert-file", "--etcd-certfile"},
      paramLabel = "FILE",
      defaultValue = "",
      description = "PEM: the client certificate for an https endpoint.")
  String certFile = "";

  @Option(
      names = {"--key-file", "--etcd-keyfile"},
      paramLabel = "FILE",
      defaultValue = "",
      description = "PEM: the private key of that certificate.")
  String keyFile = "";

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      defaultValue = "30",
      converter = DurationConverter.class,
      description = "How long to wait for an answer of fleetd, such as 5s or 1m.")
  Duration requestTimeout = Duration.ZERO;

  @Option(
      names = "--tunnel",
      paramLabel = "[USER@]HOST[:PORT]",
      defaultValue = "",
      description = "The host to reach fleetd and machines through, by ssh.")
  String tunnel = "";

  @Option(
      names = "--ssh-username",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The user for ssh. Default: that of ssh's configuration.")
  String sshUsername = "";

  @Option(
      names = "--ssh-timeout",
      paramLabel = "TIME",
      defaultValue = "10",
      converter = DurationConverter.class,
      description = "How long ssh may take to connect.")
  Duration sshTimeout = Duration.ZERO;

  @Option(
      names = "--strict-host-key-checking",
      paramLabel = "BOOL",
      arity = "0..1",
      fallbackValue = "true",
      description = "false: ssh accepts any key of a host. Default: as ssh does.")
  @Nullable Boolean strictHostKeyChecking;

  @Option(
      names = "--known-hosts-file",
      paramLabel = "FILE",
      defaultValue = "",
      description = "The keys of hosts. Default: ~/.fleetctl/known_hosts and ~/.ssh/known_hosts.")
  String knownHostsFile = "";

  @Option(names = "--driver", hidden = true, defaultValue = "API")
  String driver = "";

  @Option(names = "--experimental-api", hidden = true, defaultValue = "true", arity = "0..1")
  boolean experimentalApi;

  // For requests to etcd, which this version does not make. Old scripts still give it.
  @Option(names = "--etcd-key-prefix", hidden = true)
  String withoutEffect = "";

  /** Builds a client for these flags, or for the context in use. */
  FleetClient client(CommandEnvironment session) throws CommandException {
    return client(session, chosen(new Contexts(session.environment())));
  }

  /** Builds a client for another cluster, with the same limits, files of TLS and way by ssh. */
  FleetClient clientAt(CommandEnvironment session, String url) throws CommandException {
    try {
      ClientTls tls = checked(new ClientTlsFiles(caFile, certFile, keyFile));
      return client(session, dialer(session, url, List.of(Endpoint.parse(url)), tls));
    } catch (InvalidEndpointException e) {
      throw unusable(String.valueOf(e.getMessage()));
    }
  }

  /** The addresses of fleetd by these flags, with commas between several. */
  String endpoints(CommandEnvironment session) throws CommandException {
    return chosen(new Contexts(session.environment()))
        .map(Contexts.Context::endpoint)
        .orElse(endpoint);
  }

  private Optional<Contexts.Context> chosen(Contexts contexts) throws CommandException {
    if (context.equals(Contexts.NONE)) {
      return Optional.empty();
    }
    if (!context.isEmpty()) {
      return Optional.of(contexts.read(context));
    }
    Optional<String> current =
        endpoint.isEmpty() && tunnel.isEmpty() ? contexts.current() : Optional.empty();
    return current.isPresent() ? Optional.of(contexts.read(current.get())) : Optional.empty();
  }

  /** Builds a client; nothing is sent yet. */
  FleetClient client(CommandEnvironment session, Optional<Contexts.Context> chosen)
      throws CommandException {
    if (driver.equalsIgnoreCase("etcd") || !experimentalApi) {
      throw unusable(NO_ETCD);
    }
    if (!driver.equalsIgnoreCase("API")) {
      throw unusable("unrecognized driver \"" + driver + "\"");
    }
    if (!requestTimeout.isPositive()) {
      throw unusable("--request-timeout must be more than 0");
    }
    try {
      return client(
          session,
          chosen.isPresent()
              ? dialer(session, chosen.get(), log(session.output()))
              : dialer(session));
    } catch (InvalidEndpointException e) {
      throw unusable(String.valueOf(e.getMessage()));
    }
  }

  private FleetClient client(CommandEnvironment session, Dialer dialer) {
    Output output = session.output();
    return new FleetClient(
        new HttpClient(dialer, requestTimeout.toMillis()), log(output), output::problem);
  }

  private Consumer<String> log(Output output) {
    return debug ? line -> output.problem("DEBUG " + line) : line -> {};
  }

  private Dialer dialer(CommandEnvironment session)
      throws InvalidEndpointException, CommandException {
    String url = first(session.output(), endpoint);
    ClientTls tls = checked(new ClientTlsFiles(caFile, certFile, keyFile));
    return dialer(session, url, List.of(Endpoint.parse(url)), tls);
  }

  /** Nothing of ssh is loaded for endpoints that do without. */
  private Dialer dialer(
      CommandEnvironment session, String endpoints, List<Endpoint> servers, ClientTls tls)
      throws InvalidEndpointException, CommandException {
    return tunnel.isEmpty() && !endpoints.contains("ssh://")
        ? new Dialer(servers, tls)
        : new SshAccess(this, session).dialer(servers, tls);
  }

  private static ClientTlsFiles checked(ClientTlsFiles tls) throws InvalidEndpointException {
    tls.check();
    return tls;
  }

  private Dialer dialer(CommandEnvironment session, Contexts.Context context, Consumer<String> log)
      throws InvalidEndpointException, CommandException {
    List<Endpoint> servers = new ArrayList<>();
    for (String server : context.endpoint().split(",", -1)) {
      servers.add(Endpoint.parse(server.strip()));
    }
    if (context.identity().isEmpty()) {
      return dialer(session, context.endpoint(), servers, checked(context.tls()));
    }
    Path identity = context.identity().get();
    Clock clock = Clock.systemUTC();
    expectCurrent(identity, clock);
    new PersonRenewal(identity, servers, clock, log).renewIfDue();
    return dialer(session, context.endpoint(), servers, ClusterTls.of(identity, clock));
  }

  private static void expectCurrent(Path identity, Clock clock) throws CommandException {
    try {
      PersonIdentity own = PersonIdentity.read(identity);
      if (clock.instant().isAfter(own.expires())) {
        throw unusable(
            "the certificate of %1$s ended at %2$s, and here it is %3$s: \"fleetctl access invite %1$s\" on a server prints the command that gets you back in"
                .formatted(own.name(), own.expires(), clock.instant()));
      }
    } catch (IOException e) {
      throw unusable(String.valueOf(e.getMessage()));
    }
  }

  private static String first(Output output, String endpoint) {
    if (endpoint.isEmpty()) {
      return "unix://" + Endpoint.SOCKET;
    }
    int comma = endpoint.indexOf(',');
    if (comma < 0) {
      return endpoint;
    }
    String first = endpoint.substring(0, comma);
    output.problem("WARN multiple endpoints provided but only the first (" + first + ") is used");
    return first;
  }

  private static CommandException unusable(String why) {
    return CommandException.failed("Unable to initialize client: " + why);
  }
}

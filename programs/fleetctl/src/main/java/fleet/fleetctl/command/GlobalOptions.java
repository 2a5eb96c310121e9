package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
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
import picocli.CommandLine.Option;

/** The flags that every command takes. Each can be set by {@code FLEETCTL_} and its name. */
public final class GlobalOptions {

  private static final String SOCKET = "unix:///var/run/fleet.sock";
  private static final String NO_TUNNEL =
      "--tunnel (FLEETCTL_TUNNEL) is not supported by this version: run fleetctl on a machine of"
          + " the cluster, or forward its socket with ssh -L and name it by --endpoint";
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
          "The address of fleetd: unix:///PATH, http://HOST:PORT or https://HOST:PORT. Default: the"
              + " context in use, or unix:///var/run/fleet.sock.")
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

  @Option(names = "--tunnel", hidden = true, defaultValue = "")
  String tunnel = "";

  @Option(names = "--driver", hidden = true, defaultValue = "API")
  String driver = "";

  @Option(names = "--experimental-api", hidden = true, defaultValue = "true", arity = "0..1")
  boolean experimentalApi;

  // Flags for SSH connections and etcd requests, which this version does not make. Old scripts
  // still give them.
  @Option(
      names = {"--etcd-key-prefix", "--known-hosts-file", "--ssh-timeout", "--ssh-username"},
      hidden = true)
  String withoutEffect = "";

  @Option(names = "--strict-host-key-checking", hidden = true, arity = "0..1")
  boolean withoutEffectEither;

  /** Builds a client for these flags, or for the context in use. */
  FleetClient client(CommandEnvironment session) throws CommandException {
    return client(session.output(), chosen(new Contexts(session.environment())));
  }

  private Optional<Contexts.Context> chosen(Contexts contexts) throws CommandException {
    if (context.equals(Contexts.NONE)) {
      return Optional.empty();
    }
    if (!context.isEmpty()) {
      return Optional.of(contexts.read(context));
    }
    Optional<String> current = endpoint.isEmpty() ? contexts.current() : Optional.empty();
    return current.isPresent() ? Optional.of(contexts.read(current.get())) : Optional.empty();
  }

  /** Builds a client; nothing is sent yet. */
  FleetClient client(Output output, Optional<Contexts.Context> chosen) throws CommandException {
    if (!tunnel.isEmpty()) {
      throw unusable(NO_TUNNEL);
    }
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
      Consumer<String> log = debug ? line -> output.problem("DEBUG " + line) : line -> {};
      Dialer dialer =
          chosen.isPresent()
              ? dialer(chosen.get(), log)
              : new Dialer(
                  Endpoint.parse(first(output, endpoint)),
                  checked(new ClientTlsFiles(caFile, certFile, keyFile)));
      return new FleetClient(
          new HttpClient(dialer, requestTimeout.toMillis()), log, output::problem);
    } catch (InvalidEndpointException e) {
      throw unusable(String.valueOf(e.getMessage()));
    }
  }

  private static ClientTlsFiles checked(ClientTlsFiles tls) throws InvalidEndpointException {
    tls.check();
    return tls;
  }

  private static Dialer dialer(Contexts.Context context, Consumer<String> log)
      throws InvalidEndpointException, CommandException {
    List<Endpoint> servers = new ArrayList<>();
    for (String server : context.endpoint().split(",", -1)) {
      servers.add(Endpoint.parse(server.strip()));
    }
    if (context.identity().isEmpty()) {
      return new Dialer(servers, checked(context.tls()));
    }
    Path identity = context.identity().get();
    Clock clock = Clock.systemUTC();
    expectCurrent(identity, clock);
    new PersonRenewal(identity, servers, clock, log).renewIfDue();
    return new Dialer(servers, ClusterTls.of(identity, clock));
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
      return SOCKET;
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

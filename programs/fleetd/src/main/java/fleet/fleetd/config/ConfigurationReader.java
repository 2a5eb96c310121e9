package fleet.fleetd.config;

import fleet.api.listen.ServerTlsFiles;
import fleet.core.machine.Isolation;
import fleet.core.text.SingleLine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the configuration: command line over environment over file over defaults. */
public final class ConfigurationReader {
  public static final Path DEFAULT_FILE = Path.of("/etc/fleet/fleet.conf");

  private static final Duration DEFAULT_AGENT_TTL = Duration.ofSeconds(6);

  /** The minimum of etcd's leases. */
  private static final Duration LEAST_AGENT_TTL = Duration.ofSeconds(2);

  /** Less, and a slow etcd would depose leaders. */
  private static final Duration LEAST_LEADER_LEASE = Duration.ofSeconds(5);

  /** Beside that of the RPC. */
  private static final int DEFAULT_API_PORT = 50060;

  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.[0-9.]+|::1|0:0:0:0:0:0:0:1", Pattern.CASE_INSENSITIVE);

  private final Map<String, String> environment;
  private final Map<String, String> commandLine;
  private final Path defaultFile;

  /**
   * @param commandLine options by their keys, which win over the environment
   * @param defaultFile read when no file is named, if it exists
   */
  public ConfigurationReader(
      Map<String, String> environment, Map<String, String> commandLine, Path defaultFile) {
    this.environment = Map.copyOf(environment);
    this.commandLine = Map.copyOf(commandLine);
    this.defaultFile = defaultFile;
  }

  /**
   * May be called again, to read what has changed since.
   *
   * @param named by {@code -config}; must exist
   */
  public LoadedConfiguration read(Optional<Path> named) throws ConfigurationException {
    Settings settings = new Settings();
    if (named.isPresent()) {
      settings.inform("Using provided config file " + named.get());
      readFile(named.get(), settings);
    } else if (Files.exists(defaultFile)) {
      settings.inform("Using default config file " + defaultFile);
      readFile(defaultFile, settings);
    } else {
      settings.inform("No provided or default config file found - proceeding without");
    }
    settings.addEnvironment(environment);
    settings.addCommandLine(commandLine);
    noteWithoutEffect(settings);
    warnOfKeyReaders(settings);
    Configuration configuration = toConfiguration(settings);
    return new LoadedConfiguration(configuration, settings.notices());
  }

  private static void readFile(Path file, Settings settings) throws ConfigurationException {
    if (Files.isDirectory(file)) {
      throw new ConfigurationException(
          "config file " + file + " is a directory: name a file with -config");
    }
    try {
      // Lenient, because a comment in an old encoding must not keep a machine from starting.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      IniFile parsed = IniFile.parse(file.toString(), text);
      settings.addFile(file.toString(), parsed);
      warnOfReaders(file, parsed, settings);
    } catch (NoSuchFileException e) {
      throw ConfigurationException.unread(
          "config file " + file + " does not exist: name another with -config");
    } catch (AccessDeniedException e) {
      throw ConfigurationException.unread(
          "config file " + file + " may not be read: change its mode, or start fleetd as root");
    } catch (IOException e) {
      throw ConfigurationException.unread(
          "config file " + file + ": cannot be read: " + e.getMessage());
    }
  }

  private static void warnOfReaders(Path file, IniFile parsed, Settings settings)
      throws IOException {
    if (!Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
      return;
    }
    if (tells(parsed, Option.TOKEN)) {
      settings.warn(
          "%1$s: token: every user of this machine can read it, and join with it: chmod 600 %1$s,"
                  .formatted(file)
              + " or remove the line once this machine has joined");
    }
    if (tells(parsed, Option.ETCD_PASSWORD)) {
      settings.warn(
          "%1$s: etcd_password: every user of this machine can read it, and be root on all machines with it: chmod 600 %1$s"
              .formatted(file));
    }
  }

  private static boolean tells(IniFile parsed, Option option) {
    return parsed.entries().stream()
        .anyMatch(entry -> entry.key().equalsIgnoreCase(option.key()) && !entry.value().isEmpty());
  }

  /** A reader of the key can act as its owner. */
  private static void warnOfKeyReaders(Settings settings) throws ConfigurationException {
    for (Option option : List.of(Option.API_KEYFILE, Option.ETCD_KEYFILE)) {
      Optional<Path> file = settings.find(option, ValueType.PATH);
      if (file.isPresent() && isReadByOthers(file.get())) {
        settings.warn(
            "%1$s: every user of this machine can read %2$s: chmod 600 %2$s"
                .formatted(option.key(), file.get()));
      }
    }
  }

  private static boolean isReadByOthers(Path file) {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException missing) {
      // Reported by the code that needs it.
      return false;
    }
  }

  private static void noteWithoutEffect(Settings settings) {
    for (ConfiguredOption setting : settings.all()) {
      String name = setting.origin() + ": " + setting.name();
      switch (setting.option().effect()) {
        case FULL -> {}
        case ETCD -> {
          if (settings.find(Option.ETCD_SERVERS).isEmpty()) {
            settings.inform(
                name + " has no effect: etcd_servers is not set, so the registry is embedded");
          }
        }
        case CLUSTER -> {
          if (settings.find(Option.ETCD_SERVERS).isEmpty()
              && settings.find(Option.JOIN).isEmpty()) {
            settings.inform(
                name
                    + " has no effect: neither etcd_servers nor join is set, so this machine has"
                    + " the registry, and nothing that it could be cut off from");
          }
        }
        case NONE -> settings.inform(name + " has no effect any more");
        case GONE ->
            settings.warn(
                "Config option " + setting.option().key() + " is no longer supported - ignoring");
      }
    }
  }

  private Configuration toConfiguration(Settings settings) throws ConfigurationException {
    boolean user = settings.isTrue(Option.SYSTEMD_USER);
    BaseDirectories base = new BaseDirectories(user, environment);
    return new Configuration(
        settings.get(Option.VERBOSITY, ValueType.integer(0, Integer.MAX_VALUE), 0),
        new EtcdSection(settings).read(),
        new JoinSection(settings).read(),
        settings.get(Option.ENGINE_RECONCILE_INTERVAL, ValueType.SECONDS, Duration.ofSeconds(2)),
        text(settings, Option.PUBLIC_IP),
        metadata(settings),
        new ResourcesSection(settings).read(),
        settings.get(Option.AGENT_TTL, ValueType.atLeast(LEAST_AGENT_TTL), DEFAULT_AGENT_TTL),
        new Configuration.Storm(
            settings.get(Option.STORM_PERCENT, ValueType.integer(0, 100), 20),
            settings.get(Option.STORM_MACHINES, ValueType.integer(1, Integer.MAX_VALUE), 3),
            settings.get(Option.STORM_PAUSE, ValueType.DURATION, Duration.ofMinutes(5))),
        settings.get(Option.ON_ISOLATION, ValueType.ISOLATION, Isolation.KEEP),
        settings.get(
            Option.LEADER_LEASE, ValueType.atLeast(LEAST_LEADER_LEASE), LEAST_LEADER_LEASE),
        settings.get(Option.STANDBY_UNITS, ValueType.integer(0, Integer.MAX_VALUE), 5_000),
        settings.get(Option.RPC_PORT, ValueType.integer(1, 65535), Configuration.Join.DEFAULT_PORT),
        settings.isTrue(Option.RPC_INSECURE),
        user,
        settings.get(Option.TOKEN_LIMIT, ValueType.integer(1, 65535), 100),
        settings.isTrue(Option.DISABLE_ENGINE),
        settings.get(Option.ENABLE_GRPC, ValueType.BOOLEAN, true),
        settings.get(Option.ENABLE_EXEC, ValueType.BOOLEAN, true),
        settings.isTrue(Option.DISABLE_WATCHES),
        directories(settings, base),
        api(settings, base),
        settings.find(Option.AUDIT_FILE, ValueType.PATH));
  }

  private static String text(Settings settings, Option option) throws ConfigurationException {
    return settings.get(option, ValueType.TEXT, "");
  }

  private static Map<String, String> metadata(Settings settings) throws ConfigurationException {
    Optional<ConfiguredOption> setting = settings.find(Option.METADATA);
    if (setting.isEmpty()) {
      return Map.of();
    }
    if (!SingleLine.isOne(setting.get().value())) {
      throw setting.get().refused("has control characters, which nobody is shown: remove them");
    }
    Metadata metadata = Metadata.parse(setting.get().value());
    for (String item : metadata.dropped()) {
      settings.warn(
          "%s: %s: \"%s\" is not key=value and is left out"
              .formatted(setting.get().origin(), setting.get().name(), item));
    }
    return metadata.values();
  }

  private static Configuration.Directories directories(Settings settings, BaseDirectories base)
      throws ConfigurationException {
    return new Configuration.Directories(
        path(settings, Option.UNITS_DIRECTORY, base::units),
        path(settings, Option.DATA_DIRECTORY, base::data),
        path(settings, Option.RUNTIME_DIRECTORY, base::runtime));
  }

  private static Configuration.Api api(Settings settings, BaseDirectories base)
      throws ConfigurationException {
    Optional<ServerTlsFiles> tls = tls(settings);
    boolean insecure = settings.isTrue(Option.INSECURE_TCP);
    List<InetSocketAddress> listen =
        settings.get(Option.API_LISTEN, ValueType.ADDRESSES, List.of());
    // These use a certificate of the cluster, since they are open to the network and have no other.
    List<InetSocketAddress> listenForPeople =
        listen.stream()
            .filter(address -> tls.isEmpty() && !insecure && !isLoopback(address.getHostString()))
            .toList();
    if (!listenForPeople.isEmpty() && settings.find(Option.JOIN).isPresent()) {
      throw settings
          .find(Option.API_LISTEN)
          .orElseThrow()
          .refused(openToAll(listenForPeople.getFirst()));
    }
    return new Configuration.Api(
        path(settings, Option.API_SOCKET, base::socket),
        listen.stream().filter(address -> !listenForPeople.contains(address)).toList(),
        listenForPeople,
        settings.get(Option.API_PORT, ValueType.integer(0, 65535), DEFAULT_API_PORT),
        tls,
        settings.get(Option.API_NAMES, ValueType.LIST, List.of()),
        settings.find(Option.API_CAFILE_ROLE, ValueType.ACCESS_ROLE),
        insecure,
        settings.get(Option.METRICS_LISTEN, ValueType.ADDRESSES, List.of()));
  }

  /** Whether only this machine can be meant by a host. */
  static boolean isLoopback(String host) {
    return LOOPBACK.matcher(host).matches();
  }

  private static String openToAll(InetSocketAddress address) {
    return address.getHostString()
        + ":"
        + address.getPort()
        + " would let everybody who reaches it run commands as root: people log in at servers, and"
        + " this machine joins one; set api_certfile, api_keyfile and api_cafile, or listen on"
        + " 127.0.0.1, or accept it with insecure_tcp=true";
  }

  private static Optional<ServerTlsFiles> tls(Settings settings) throws ConfigurationException {
    Optional<Path> certfile = settings.find(Option.API_CERTFILE, ValueType.PATH);
    Optional<Path> keyfile = settings.find(Option.API_KEYFILE, ValueType.PATH);
    Optional<Path> cafile = settings.find(Option.API_CAFILE, ValueType.PATH);
    if (certfile.isPresent() && keyfile.isPresent() && cafile.isPresent()) {
      return Optional.of(new ServerTlsFiles(certfile.get(), keyfile.get(), cafile.get()));
    }
    if (certfile.isPresent() || keyfile.isPresent() || cafile.isPresent()) {
      throw new ConfigurationException(
          "api_certfile, api_keyfile and api_cafile belong together: set all three, or none");
    }
    return Optional.empty();
  }

  private static Path path(Settings settings, Option option, Fallback fallback)
      throws ConfigurationException {
    Optional<Path> set = settings.find(option, ValueType.PATH);
    return set.isPresent() ? set.get() : fallback.path();
  }

  private interface Fallback {
    Path path() throws ConfigurationException;
  }
}

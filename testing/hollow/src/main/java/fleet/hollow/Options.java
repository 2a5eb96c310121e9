package fleet.hollow;

import fleet.core.machine.HostPort;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The command line.
 *
 * @param machines how many
 * @param ttl how long each may be silent
 * @param transport how they reach the cluster
 * @param directory for what the machines write; best one in memory
 */
record Options(int machines, Duration ttl, Supplier<HollowTransport> transport, Path directory) {

  static Options of(String... arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      given.put(parts[0], parts.length == 2 ? parts[1] : "");
    }
    Duration ttl = Duration.ofSeconds(Long.parseLong(needed(given, "ttl")));
    return new Options(
        Integer.parseInt(needed(given, "machines")),
        ttl,
        transport(given, ttl),
        Path.of(needed(given, "directory")));
  }

  private static Supplier<HollowTransport> transport(Map<String, String> given, Duration ttl) {
    if (given.containsKey("etcd")) {
      List<URI> etcd = each(needed(given, "etcd")).map(URI::create).toList();
      return () -> new StoreTransport(etcd, ttl);
    }
    List<HostPort> servers =
        each(needed(given, "join"))
            .map(text -> HostPort.parse(text).orElseThrow(() -> new IllegalArgumentException(text)))
            .toList();
    Credentials credentials = credentials(given, servers);
    return () -> new RpcTransport(servers, ttl, credentials);
  }

  private static Credentials credentials(Map<String, String> given, List<HostPort> servers) {
    if (!given.containsKey("token")) {
      return Credentials.NONE;
    }
    try {
      return new CertificateCredentials(
          servers, TokenText.parse(needed(given, "token")), Path.of(needed(given, "directory")));
    } catch (TrustException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Stream<String> each(String list) {
    return Arrays.stream(list.split(","));
  }

  private static String needed(Map<String, String> given, String name) {
    String value = given.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "usage: machines=N ttl=SECONDS (etcd=URI[,...] | join=HOST:PORT[,...] [token=TOKEN])"
              + " directory=PATH;"
              + " missing: "
              + name);
    }
    return value;
  }
}

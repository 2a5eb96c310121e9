package fleet.fleetd.config;

import fleet.registry.etcd.EtcdOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options that say where etcd is and how to talk to it. */
final class EtcdSection {

  private final Settings settings;

  EtcdSection(Settings settings) {
    this.settings = settings;
  }

  /** Empty if no server is named: then the registry is embedded. */
  Optional<Configuration.Etcd> read() throws ConfigurationException {
    // Read in any case, so that an invalid value is found before it matters.
    String keyPrefix =
        settings.get(Option.ETCD_KEY_PREFIX, ValueType.KEY_PREFIX, "/_coreos.com/fleet/");
    Duration requestTimeout =
        settings.get(Option.ETCD_REQUEST_TIMEOUT, ValueType.SECONDS, Duration.ofSeconds(1));
    long quota = settings.get(Option.ETCD_QUOTA, ValueType.BYTES, EtcdOptions.DEFAULT_QUOTA);
    Optional<Duration> compactAfter = settings.find(Option.ETCD_COMPACT_AFTER, ValueType.DURATION);
    Optional<ConfiguredOption> servers = settings.find(Option.ETCD_SERVERS);
    if (servers.isEmpty()) {
      return Optional.empty();
    }
    List<URI> endpoints = endpoints(servers.get());
    refusePlain(servers.get(), endpoints);
    return Optional.of(
        new Configuration.Etcd(
            endpoints,
            login(),
            tls(servers.get(), endpoints),
            keyPrefix,
            requestTimeout,
            quota,
            compactAfter));
  }

  /** Root runs every unit that is in etcd, on every machine. */
  private void refusePlain(ConfiguredOption servers, List<URI> endpoints)
      throws ConfigurationException {
    Optional<URI> plain =
        endpoints.stream()
            .filter(uri -> uri.getScheme().equals("http"))
            .filter(uri -> !ConfigurationReader.isLoopback(bare(uri.getHost())))
            .findFirst();
    if (plain.isEmpty()) {
      return;
    }
    if (!settings.isTrue(Option.ETCD_INSECURE)) {
      throw servers.refused(
          plain.get()
              + " is plain http: anybody on that network could read the cluster's keys and be root"
              + " on every machine: give etcd certificates and write https, or accept it with"
              + " etcd_insecure=true");
    }
    settings.warn(
        "etcd_insecure is set: everybody who reaches "
            + plain.get()
            + " can be root on every machine of this cluster");
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static List<URI> endpoints(ConfiguredOption servers) throws ConfigurationException {
    List<URI> endpoints = new ArrayList<>();
    for (String server : servers.as(ValueType.LIST)) {
      endpoints.add(endpoint(servers, server));
    }
    if (endpoints.isEmpty()) {
      throw servers.refused("names no server: remove the option for an embedded registry");
    }
    if (endpoints.stream().map(URI::getScheme).distinct().count() > 1) {
      throw servers.refused("has http and https endpoints: all of them are one or the other");
    }
    return endpoints;
  }

  private static URI endpoint(ConfiguredOption servers, String text) throws ConfigurationException {
    try {
      URI uri = new URI(text);
      boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare = uri.getPath() == null || uri.getPath().isEmpty() || uri.getPath().equals("/");
      if (known && bare && uri.getHost() != null && uri.getPort() > 0) {
        return new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), null, null, null);
      }
    } catch (URISyntaxException e) {
      // Reported below like any other invalid endpoint.
    }
    throw servers.refused(
        "\"" + text + "\" is not an endpoint, expected one such as https://10.0.0.1:2379");
  }

  private Optional<EtcdOptions.Login> login() throws ConfigurationException {
    Optional<String> user = settings.find(Option.ETCD_USERNAME, ValueType.TEXT);
    Optional<String> password = settings.find(Option.ETCD_PASSWORD, ValueType.TEXT);
    if (user.isPresent() != password.isPresent()) {
      throw new ConfigurationException(
          "etcd_username and etcd_password belong together: set both, or none");
    }
    return user.map(name -> new EtcdOptions.Login(name, password.orElseThrow()));
  }

  private Optional<EtcdOptions.Tls> tls(ConfiguredOption servers, List<URI> endpoints)
      throws ConfigurationException {
    Optional<Path> authority = settings.find(Option.ETCD_CAFILE, ValueType.PATH);
    Optional<Path> certfile = settings.find(Option.ETCD_CERTFILE, ValueType.PATH);
    Optional<Path> keyfile = settings.find(Option.ETCD_KEYFILE, ValueType.PATH);
    if (certfile.isPresent() != keyfile.isPresent()) {
      throw new ConfigurationException(
          "etcd_certfile and etcd_keyfile belong together: set both, or none");
    }
    if (endpoints.getFirst().getScheme().equals("https")) {
      return Optional.of(
          new EtcdOptions.Tls(
              authority,
              certfile.map(file -> new EtcdOptions.Tls.Client(file, keyfile.orElseThrow()))));
    }
    if (authority.isPresent() || certfile.isPresent()) {
      throw servers.refused(
          "is plain http, and etcd_cafile or etcd_certfile ask for TLS: write https, or remove them");
    }
    return Optional.empty();
  }
}

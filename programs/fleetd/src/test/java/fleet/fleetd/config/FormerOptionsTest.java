package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.etcd.EtcdOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of fleet 1.0 have their effect in the file and in the environment. */
class FormerOptionsTest extends ConfigurationFixture {

  private static final String WITH_ETCD = "etcd_servers=https://10.0.0.1:2379\n";

  /**
   * One option.
   *
   * @param with other options that it needs
   */
  record Former(
      String option, String value, String with, Function<Configuration, ?> read, Object expected) {

    @Override
    public String toString() {
      return option;
    }
  }

  static Stream<Former> options() {
    return Stream.of(
        plain("verbosity", "1", Configuration::verbosity, 1),
        plain("public_ip", "10.0.0.1", Configuration::publicIp, "10.0.0.1"),
        plain("metadata", "a=b, c = d", Configuration::metadata, Map.of("a", "b", "c", "d")),
        plain("agent_ttl", "1m30s", Configuration::agentTtl, Duration.ofSeconds(90)),
        plain(
            "engine_reconcile_interval",
            "0.5",
            Configuration::engineReconcileInterval,
            Duration.ofMillis(500)),
        plain("units_directory", "/u/", it -> it.directories().units(), Path.of("/u")),
        plain("token_limit", "7", Configuration::tokenLimit, 7),
        plain("disable_engine", "true", Configuration::disableEngine, true),
        plain("enable_grpc", "false", Configuration::enableGrpc, false),
        plain("disable_watches", "true", Configuration::disableWatches, true),
        etcd("etcd_username", "anna", "etcd_password=b\n", it -> it.login().orElseThrow().user()),
        etcd("etcd_password", "b", "etcd_username=c\n", it -> it.login().orElseThrow().password()),
        etcd("etcd_key_prefix", "/other/", "", Configuration.Etcd::keyPrefix),
        etcd("etcd_cafile", "/ca", "", it -> text(it.tls().orElseThrow().authority())),
        etcd(
            "etcd_certfile",
            "/cert",
            "etcd_keyfile=/key\n",
            it -> text(it.tls().orElseThrow().client().map(EtcdOptions.Tls.Client::certificate))),
        etcd(
            "etcd_keyfile",
            "/key",
            "etcd_certfile=/cert\n",
            it -> text(it.tls().orElseThrow().client().map(EtcdOptions.Tls.Client::key))),
        new Former(
            "etcd_request_timeout",
            "2.5",
            WITH_ETCD,
            it -> it.etcd().orElseThrow().requestTimeout(),
            Duration.ofMillis(2500)),
        plain(
            "etcd_servers",
            "[\"https://10.0.0.2:2379\", \"https://10.0.0.3:2379\"]",
            it -> it.etcd().orElseThrow().servers(),
            List.of(URI.create("https://10.0.0.2:2379"), URI.create("https://10.0.0.3:2379"))));
  }

  private static Former plain(
      String option, String value, Function<Configuration, ?> read, Object expected) {
    return new Former(option, value, "", read, expected);
  }

  private static Former etcd(
      String option, String value, String with, Function<Configuration.Etcd, String> read) {
    return new Former(
        option, value, WITH_ETCD + with, it -> read.apply(it.etcd().orElseThrow()), value);
  }

  private static String text(Optional<Path> path) {
    return path.orElseThrow().toString();
  }

  @ParameterizedTest
  @MethodSource("options")
  void anOptionHasItsEffect(Former former) throws Exception {
    Configuration inFile = read(former.with() + former.option() + "=" + former.value());
    assertThat(former.read().apply(inFile)).isEqualTo(former.expected());

    environment.put("FLEET_" + former.option().toUpperCase(Locale.ROOT), former.value());
    assertThat(former.read().apply(read(former.with()))).isEqualTo(former.expected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify_units", "authorized_keys_file"})
  void anOptionThatWasGoneIsTakenForNothing(String option) throws Exception {
    String notice = "Config option " + option + " is no longer supported - ignoring";
    assertThat(messages(option + "=true")).contains(notice);

    environment.put("FLEET_" + option.toUpperCase(Locale.ROOT), "true");
    assertThat(messages("")).contains(notice);
  }

  @ParameterizedTest
  @CsvSource({"engine_reconcile_interval, 2", "disable_watches, true"})
  void anOptionWithoutEffectSaysSo(String option, String value) throws Exception {
    String notice = option + " has no effect any more";
    assertThat(messages(option + "=" + value)).contains(file() + ":1: " + notice);

    environment.put("FLEET_" + option.toUpperCase(Locale.ROOT), value);
    assertThat(messages("")).anyMatch(message -> message.endsWith("no effect any more"));
  }

  private List<String> messages(String text) throws IOException, ConfigurationException {
    Files.writeString(file(), text);
    return notices(text).stream().map(Notice::text).toList();
  }

  /** A user's systemd has other directories, which a system's fleetd may not use. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theUsersSystemdIsAskedFor(boolean inFile) throws Exception {
    environment.put("XDG_RUNTIME_DIR", directory.toString());
    environment.put("HOME", directory.toString());
    if (!inFile) {
      environment.put("FLEET_SYSTEMD_USER", "true");
    }
    assertThat(read(inFile ? "systemd_user=true" : "").systemdUser()).isTrue();
  }
}

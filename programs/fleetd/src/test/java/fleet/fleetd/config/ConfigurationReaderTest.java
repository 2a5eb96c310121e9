package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.api.listen.ServerTlsFiles;
import fleet.core.machine.Amount;
import fleet.core.machine.Isolation;
import fleet.core.machine.Reservation;
import fleet.registry.etcd.EtcdOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class ConfigurationReaderTest extends ConfigurationFixture {
  @Test
  void nothingSetGivesTheDefaults() throws Exception {
    LoadedConfiguration loaded = reader().read(Optional.empty());

    assertThat(loaded.configuration())
        .isEqualTo(
            new Configuration(
                0,
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(2),
                "",
                Map.of(),
                new Configuration.Resources(
                    Reservation.NOTHING,
                    new Reservation(
                        Amount.NOTHING,
                        new Amount(0, 500),
                        new Amount(0, 500),
                        new Amount(0, 500))),
                Duration.ofSeconds(6),
                new Configuration.Storm(20, 3, Duration.ofMinutes(5)),
                Isolation.KEEP,
                Duration.ofSeconds(5),
                5_000,
                50059,
                false,
                false,
                100,
                false,
                true,
                true,
                false,
                new Configuration.Directories(
                    Path.of("/run/fleet/units"), Path.of("/var/lib/fleet"), Path.of("/run/fleet")),
                new Configuration.Api(
                    Path.of("/run/fleet.sock"),
                    List.of(),
                    List.of(),
                    50060,
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    false,
                    List.of()),
                Optional.empty()));
    assertThat(loaded.notices())
        .containsExactly(
            new Notice(
                Level.INFO, "No provided or default config file found - proceeding without"));
  }

  @Test
  void commandsOfPeopleCanBeSwitchedOff() throws Exception {
    assertThat(read("").enableExec()).isTrue();
    assertThat(read("enable_exec=no").enableExec()).isFalse();
  }

  @Test
  void whatCountsAsAStormIsSettable() throws Exception {
    assertThat(read("storm_percent=50\nstorm_machines=10\nstorm_pause=90s").storm())
        .isEqualTo(new Configuration.Storm(50, 10, Duration.ofSeconds(90)));
    assertThatThrownBy(() -> read("storm_percent=101"))
        .hasMessageContaining("expected a whole number from 0 to 100");
  }

  @Test
  void fileOfFleetOneIsRead() throws Exception {
    Configuration configuration =
        read(
            """
            # fleet.conf
            Verbosity=1
            public_ip="10.0.0.1"
            metadata=region=us, disk = ssd ,region=eu
            agent_ttl=3s
            engine_reconcile_interval=0.5
            units_directory=/run/fleet/other/
            token_limit=50
            DISABLE_ENGINE=true
            """);

    assertThat(configuration.verbosity()).isEqualTo(1);
    assertThat(configuration.publicIp()).isEqualTo("10.0.0.1");
    assertThat(configuration.metadata()).isEqualTo(Map.of("region", "eu", "disk", "ssd"));
    assertThat(configuration.agentTtl()).isEqualTo(Duration.ofSeconds(3));
    assertThat(configuration.engineReconcileInterval()).isEqualTo(Duration.ofMillis(500));
    assertThat(configuration.directories().units()).isEqualTo(Path.of("/run/fleet/other"));
    assertThat(configuration.tokenLimit()).isEqualTo(50);
    assertThat(configuration.disableEngine()).isTrue();
  }

  @Test
  void environmentBeatsTheFile() throws Exception {
    environment.put("FLEET_PUBLIC_IP", "10.0.0.2");
    environment.put("FLEET_AGENT_TTL", "1m");

    Configuration configuration = read("public_ip=10.0.0.1\nagent_ttl=3s\ntoken_limit=7");

    assertThat(configuration.publicIp()).isEqualTo("10.0.0.2");
    assertThat(configuration.agentTtl()).isEqualTo(Duration.ofMinutes(1));
    assertThat(configuration.tokenLimit()).isEqualTo(7);
  }

  @Test
  void emptyVariableLeavesTheFileInForce() throws Exception {
    environment.put("FLEET_PUBLIC_IP", "");

    assertThat(read("public_ip=10.0.0.1").publicIp()).isEqualTo("10.0.0.1");
  }

  @Test
  void emptyValueMeansTheDefault() throws Exception {
    assertThat(read("agent_ttl=").agentTtl()).isEqualTo(Duration.ofSeconds(6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "t", "1", "yes", "on"})
  void manyWordsAreTrue(String word) throws Exception {
    assertThat(read("disable_engine=" + word).disableEngine()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "False", "f", "0", "no", "off"})
  void manyWordsAreFalse(String word) throws Exception {
    assertThat(read("disable_engine=" + word).disableEngine()).isFalse();
  }

  @Test
  void optionsOfEtcdAreTakenTogether() throws Exception {
    Configuration.Etcd etcd =
        read("""
        etcd_servers=["https://10.0.0.1:2379", "https://[::1]:2379/"]
        etcd_username=root
        etcd_password="se cret"
        etcd_cafile=/ca
        etcd_certfile=/cert
        etcd_keyfile=/key
        etcd_key_prefix=other
        etcd_request_timeout=2.5
        etcd_quota=8G
        etcd_compact_after=1h
        """)
            .etcd()
            .orElseThrow();

    assertThat(etcd)
        .isEqualTo(
            new Configuration.Etcd(
                List.of(URI.create("https://10.0.0.1:2379"), URI.create("https://[::1]:2379")),
                Optional.of(new EtcdOptions.Login("root", "se cret")),
                Optional.of(
                    new EtcdOptions.Tls(
                        Optional.of(Path.of("/ca")),
                        Optional.of(
                            new EtcdOptions.Tls.Client(Path.of("/cert"), Path.of("/key"))))),
                "/other/",
                Duration.ofMillis(2500),
                8L << 30,
                Optional.of(Duration.ofHours(1))));
    assertThat(etcd.toString()).doesNotContain("se cret");
  }

  @Test
  void serversToJoinHaveAPortOrTheUsualOne() throws Exception {
    Configuration.Join join =
        read("join=10.0.0.1, s2.example.org:7, fd00::1, [fd00::2]:8\ntoken=FLEET-1-x")
            .join()
            .orElseThrow();

    assertThat(join)
        .isEqualTo(
            new Configuration.Join(
                List.of(
                    InetSocketAddress.createUnresolved("10.0.0.1", 50059),
                    InetSocketAddress.createUnresolved("s2.example.org", 7),
                    InetSocketAddress.createUnresolved("fd00::1", 50059),
                    InetSocketAddress.createUnresolved("fd00::2", 8)),
                Optional.of("FLEET-1-x")));
    assertThat(join.toString()).doesNotContain("FLEET-1-x");
    assertThat(read("join=[\"10.0.0.1\"]").join().orElseThrow().token()).isEmpty();
  }

  @Test
  void theCommandLineWinsOverEnvironmentAndFile() throws Exception {
    Files.writeString(file(), "join=a");
    environment.put("FLEET_JOIN", "b");
    environment.put("FLEET_TOKEN", "FLEET-1-x");

    Configuration.Join join =
        new ConfigurationReader(environment, Map.of("join", "c:1"), file())
            .read(Optional.empty())
            .configuration()
            .join()
            .orElseThrow();

    assertThat(join.servers()).containsExactly(InetSocketAddress.createUnresolved("c", 1));
    assertThat(join.token()).contains("FLEET-1-x");
    assertThatThrownBy(() ->
            new ConfigurationReader(Map.of(), Map.of("join", "c:x"), file()).read(Optional.empty()))
        .hasMessageStartingWith("command line: --join: ");
  }

  @Test
  void aServerOnEtcdNeedsNoToken() throws Exception {
    assertThat(notices("etcd_servers=https://10.0.0.1:2379\ntoken=FLEET-1-x"))
        .contains(new Notice(Level.WARN, "token has no effect: etcd_servers is set, and not join"));
  }

  @Test
  void whatIsForClustersIsForThoseThatWereJoinedToo() throws Exception {
    assertThat(read("join=a\non_isolation=stop").onIsolation()).isEqualTo(Isolation.STOP);
    assertThat(notices("join=a\non_isolation=stop")).hasSize(1);
    assertThat(notices("on_isolation=stop").toString())
        .contains("neither etcd_servers nor join is set");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:1,[::1]:2",
        "[127.0.0.1:1, [::1]:2]",
        "[\"127.0.0.1:1\", '[::1]:2']",
        "\"127.0.0.1:1\", \"[::1]:2\"",
        ", 127.0.0.1:1 ,, [::1]:2 ,"
      })
  void listsMayHaveBracketsAndQuotes(String list) throws Exception {
    assertThat(read("api_listen=" + list).api().listen())
        .containsExactly(
            InetSocketAddress.createUnresolved("127.0.0.1", 1),
            InetSocketAddress.createUnresolved("::1", 2));
  }

  /** Nothing can be done there, so it needs no certificate. */
  @Test
  void scrapersMayComeFromElsewhere() throws Exception {
    assertThat(read("metrics_listen=10.0.0.1:50061").api().metricsListen())
        .containsExactly(InetSocketAddress.createUnresolved("10.0.0.1", 50061));
  }

  @Test
  void tcpBeyondLoopbackIsTakenWithCertificates() throws Exception {
    String tls = "api_certfile=/c\napi_keyfile=/k\napi_cafile=/ca\n";

    assertThat(read(tls + "api_listen=10.0.0.1:49153").api().tls())
        .contains(new ServerTlsFiles(Path.of("/c"), Path.of("/k"), Path.of("/ca")));
  }

  @Test
  void tcpBeyondLoopbackIsTakenWhenAskedForByName() throws Exception {
    Configuration.Api api =
        read("insecure_tcp=true\napi_listen=10.0.0.1:49153\napi_names=fleet.example.org").api();
    assertThat(api.names()).containsExactly("fleet.example.org");

    assertThat(api.listen()).hasSize(1);
    assertThat(api.insecureTcp()).isTrue();
  }

  @Test
  void ofAUserEverythingIsBelowTheUsersDirectories() throws Exception {
    environment.put("XDG_RUNTIME_DIR", "/run/user/1000");
    environment.put("HOME", "/home/kim");

    Configuration configuration = read("systemd_user=true");

    assertThat(configuration.systemdUser()).isTrue();
    assertThat(configuration.directories())
        .isEqualTo(
            new Configuration.Directories(
                Path.of("/run/user/1000/fleet/units"),
                Path.of("/home/kim/.local/state/fleet"),
                Path.of("/run/user/1000/fleet")));
    assertThat(configuration.api().socket()).isEqualTo(Path.of("/run/user/1000/fleet.sock"));
  }

  @Test
  void ofAUserTheStateDirectoryMayBeMoved() throws Exception {
    environment.put("XDG_RUNTIME_DIR", "/run/user/1000");
    environment.put("XDG_STATE_HOME", "/state");

    assertThat(read("systemd_user=true").directories().data()).isEqualTo(Path.of("/state/fleet"));
  }

  @Test
  void runtimeDirectoryIsNotNeededWhereEveryPathIsGiven() throws Exception {
    Configuration configuration =
        read(
            """
            systemd_user=true
            units_directory=/a
            data_directory=/b
            runtime_directory=/c
            api_socket=/d
            """);

    assertThat(configuration.directories())
        .isEqualTo(new Configuration.Directories(Path.of("/a"), Path.of("/b"), Path.of("/c")));
    assertThat(configuration.api().socket()).isEqualTo(Path.of("/d"));
  }

  @Test
  void defaultFileIsReadWhereItExists() throws Exception {
    Files.writeString(file(), "public_ip=10.0.0.1");

    LoadedConfiguration loaded =
        new ConfigurationReader(environment, Map.of(), file()).read(Optional.empty());

    assertThat(loaded.configuration().publicIp()).isEqualTo("10.0.0.1");
    assertThat(loaded.notices())
        .containsExactly(new Notice(Level.INFO, "Using default config file " + file()));
  }

  @Test
  void commentInAnOldEncodingDoesNotMatter() throws Exception {
    Files.write(
        file(),
        new byte[] {'#', (byte) 0xe9, '\n', 'v', 'e', 'r', 'b', 'o', 's', 'i', 't', 'y', '=', '1'});

    assertThat(reader().read(Optional.of(file())).configuration().verbosity()).isEqualTo(1);
  }
}

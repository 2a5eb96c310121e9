package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/** Configurations that are refused, or warned of. */
class ConfigurationRefusalTest extends ConfigurationFixture {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "agent_ttl=30 | agent_ttl: \"30\" is not valid, expected a duration of at least 2s, such"
            + " as 8s or 1m30s",
        "agent_ttl=0s | agent_ttl: \"0s\" is not valid, expected a duration of at least 2s, such"
            + " as 8s or 1m30s",
        "Token_Limit=0 | Token_Limit: \"0\" is not valid, expected a whole number from 1 to 65535",
        "token_limit=65536 | token_limit: \"65536\" is not valid, expected a whole number from 1 to"
            + " 65535",
        "verbosity=high | verbosity: \"high\" is not valid, expected a whole number from 0 to"
            + " 2147483647",
        "verbosity=1 # chatty | verbosity: \"1 # chatty\" is not valid, expected a whole number"
            + " from 0 to 2147483647 (a comment needs a line of its own)",
        "disable_engine=maybe | disable_engine: \"maybe\" is not valid, expected true or false",
        "engine_reconcile_interval=2s | engine_reconcile_interval: \"2s\" is not valid, expected a"
            + " number of seconds above 0, such as 2.0",
        "engine_reconcile_interval=-1 | engine_reconcile_interval: \"-1\" is not valid, expected a"
            + " number of seconds above 0, such as 2.0",
        "engine_reconcile_interval=1e99 | engine_reconcile_interval: \"1e99\" is not valid, expected"
            + " a number of seconds above 0, such as 2.0",
        "engine_reconcile_interval=1e999999999 | engine_reconcile_interval: \"1e999999999\" is not"
            + " valid, expected a number of seconds above 0, such as 2.0",
        "units_directory=units | units_directory: \"units\" is not valid, expected an absolute path",
        "metrics_listen=50061 | metrics_listen: \"50061\" is not valid, expected addresses such"
            + " as 127.0.0.1:49153 or [::1]:49153, parted by commas",
        "api_listen=49153 | api_listen: \"49153\" is not valid, expected addresses such as"
            + " 127.0.0.1:49153 or [::1]:49153, parted by commas",
        "api_listen=::1:49153 | api_listen: \"::1:49153\" is not valid, expected addresses such as"
            + " 127.0.0.1:49153 or [::1]:49153, parted by commas",
        "api_listen=127.0.0.1:0 | api_listen: \"127.0.0.1:0\" is not valid, expected addresses such"
            + " as 127.0.0.1:49153 or [::1]:49153, parted by commas",
        "etcd_request_timeout=soon | etcd_request_timeout: \"soon\" is not valid, expected a number"
            + " of seconds above 0, such as 2.0",
        "etcd_servers=10.0.0.1:2379 | etcd_servers: \"10.0.0.1:2379\" is not an endpoint, expected"
            + " one such as https://10.0.0.1:2379",
        "etcd_servers=http://10.0.0.1 | etcd_servers: \"http://10.0.0.1\" is not an endpoint,"
            + " expected one such as https://10.0.0.1:2379",
        "etcd_servers=http://10.0.0.1:2379,https://10.0.0.2:2379 | etcd_servers: has http and https"
            + " endpoints: all of them are one or the other",
        "etcd_servers=http://127.0.0.1:2379,http://10.0.0.1:2379 | etcd_servers: http://10.0.0.1:2379 is"
            + " plain http: anybody on that network could read the cluster's keys and be root on"
            + " every machine: give etcd certificates and write https, or accept it with"
            + " etcd_insecure=true",
        "metadata=region=eu\033[2J | metadata: has control characters, which nobody is shown: remove"
            + " them",
        "etcd_servers=[] | etcd_servers: names no server: remove the option for an embedded"
            + " registry",
        "etcd_quota=much | etcd_quota: \"much\" is not valid, expected a size such as 512M, 8G or"
            + " 2147483648",
        "agent_ttl=1s | agent_ttl: \"1s\" is not valid, expected a duration of at least 2s, such as"
            + " 8s or 1m30s",
        "leader_lease=2s | leader_lease: \"2s\" is not valid, expected a duration of at least 5s,"
            + " such as 8s or 1m30s",
        "standby_units=some | standby_units: \"some\" is not valid, expected a whole number from 0"
            + " to 2147483647",
        "machine_memory=0 | machine_memory: \"0\" is not valid, expected an amount above 0 such as"
            + " 512M or 8G, or a share of what there is such as 50%",
        "machine_cores=infinity | machine_cores: \"infinity\" is not valid, expected an amount above"
            + " 0 such as 2 or 0.5, or a share of what there is such as 50%",
        "keep_memory=120% | keep_memory: \"120%\" is not valid, expected an amount such as 512M or 8G,"
            + " a share of what the machine has such as 10%, at most 100%, or 0",
        "keep_tasks=some | keep_tasks: \"some\" is not valid, expected an amount such as 1000, a share"
            + " of what the machine has such as 10%, at most 100%, or 0",
        "on_isolation=maybe | on_isolation: \"maybe\" is not valid, expected keep or stop",
        "api_port=70000 | api_port: \"70000\" is not valid, expected a whole number from 0 to 65535",
      })
  void badValueIsNamedWithItsPlaceAndWhatIsExpected(String line, String expected) {
    assertThatThrownBy(() -> read("# first line\n" + line))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(file() + ":2: " + expected);
  }

  @Test
  void badVariableIsNamedAsSuch() {
    environment.put("FLEET_AGENT_TTL", "30");

    assertThatThrownBy(() -> reader().read(Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("environment: FLEET_AGENT_TTL: \"30\" is not valid");
  }

  @Test
  void badValueOfTheFileDoesNotMatterBelowAGoodVariable() throws Exception {
    environment.put("FLEET_AGENT_TTL", "5s");

    assertThat(read("agent_ttl=30").agentTtl()).isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "agent_tll=3s | agent_tll is not an option of fleetd and is ignored; did you mean"
            + " agent_ttl?",
        "raft=true | raft is not an option of fleetd and is ignored",
        "[fleet]\\npublic_ip=1.2.3.4 | public_ip is below [fleet] and is not read: options belong"
            + " above the first section",
        "metadata=region=us,ssd | metadata: \"ssd\" is not key=value and is left out",
      })
  void oddLinesAreNamedAndLeftOut(String lines, String expected) throws Exception {
    String text = "# first line\n" + lines.replace("\\n", "\n");
    long line = text.lines().count();

    assertThat(notices(text))
        .contains(new Notice(Level.WARN, file() + ":" + line + ": " + expected));
  }

  @Test
  void repeatedOptionCountsOnceAndIsNamed() throws Exception {
    String text = "public_ip=10.0.0.1\n\nPUBLIC_IP=10.0.0.2";

    assertThat(read(text).publicIp()).isEqualTo("10.0.0.2");
    assertThat(notices(text))
        .contains(
            new Notice(
                Level.WARN, file() + ":3: PUBLIC_IP replaces the value of " + file() + ":1"));
  }

  @Test
  void unknownVariableIsNamed() throws Exception {
    environment.put("FLEET_METDATA", "a=b");

    assertThat(reader().read(Optional.empty()).notices())
        .contains(
            new Notice(
                Level.WARN,
                "environment: FLEET_METDATA is not an option of fleetd and is ignored;"
                    + " did you mean FLEET_METADATA?"));
  }

  @Test
  void optionsWithoutEffectAreSaidOnce() throws Exception {
    List<Notice> notices =
        notices(
            """
            etcd_username=fleet
            disable_watches=true
            verify_units=true
            authorized_keys_file=/dev/null
            """);

    assertThat(notices)
        .containsExactly(
            new Notice(Level.INFO, "Using provided config file " + file()),
            new Notice(
                Level.INFO,
                file()
                    + ":1: etcd_username has no effect: etcd_servers is not set, so the registry is"
                    + " embedded"),
            new Notice(Level.INFO, file() + ":2: disable_watches has no effect any more"),
            new Notice(Level.WARN, "Config option verify_units is no longer supported - ignoring"),
            new Notice(
                Level.WARN,
                "Config option authorized_keys_file is no longer supported - ignoring"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "etcd_username=root | etcd_username and etcd_password belong together: set both, or none",
        "etcd_keyfile=/key | etcd_certfile and etcd_keyfile belong together: set both, or none",
        "etcd_cafile=/ca | is plain http, and etcd_cafile or etcd_certfile ask for TLS: write https,"
            + " or remove them",
      })
  void optionsOfEtcdThatDoNotGoTogetherAreRefused(String line, String expected) {
    assertThatThrownBy(() -> read("etcd_servers=http://127.0.0.1:2379\n" + line))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageEndingWith(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "join=a:0 | \"a:0\" is not valid, expected servers such as 10.0.0.1",
        "join=http://a | is not valid",
        "join=a b | is not valid",
        "join=[] | names no server",
        "join=a\\netcd_servers=https://b:1 | excludes etcd_servers",
      })
  void serversThatCannotBeJoinedAreRefused(String lines, String expected) {
    assertThatThrownBy(() -> read(lines.replace("\\n", "\n")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(": join: ")
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:2379", "http://localhost:2379", "http://[::1]:2379"})
  void plainHttpToAnEtcdOfThisMachineIsNobodyElsesBusiness(String server) throws Exception {
    assertThat(read("etcd_servers=" + server).etcd()).isPresent();
  }

  @Test
  void plainHttpToAnotherMachinesEtcdIsTakenWhereSomebodySaysSoAndWarnedOf() throws Exception {
    String text = "etcd_servers=http://10.0.0.1:2379\netcd_insecure=true";

    assertThat(read(text).etcd()).isPresent();
    assertThat(notices(text))
        .contains(
            new Notice(
                Level.WARN,
                "etcd_insecure is set: everybody who reaches http://10.0.0.1:2379 can be root on every"
                    + " machine of this cluster"));
  }

  @Test
  void secretsInFilesThatEverybodyCanReadAreWarnedOf() throws Exception {
    Path key = Files.writeString(directory.resolve("api.key"), "");
    String text =
        "etcd_servers=https://10.0.0.1:2379\netcd_username=a\netcd_password=b\napi_certfile=/c\napi_cafile=/c\napi_keyfile="
            + key;
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(notices(text))
        .contains(
            new Notice(
                Level.WARN,
                "api_keyfile: every user of this machine can read %1$s: chmod 600 %1$s"
                    .formatted(key)),
            new Notice(
                Level.WARN,
                "%1$s: etcd_password: every user of this machine can read it, and be root on all machines with it: chmod 600 %1$s"
                    .formatted(file())));

    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    assertThat(new ConfigurationReader(Map.of(), Map.of(), file()).read(Optional.empty()).notices())
        .allMatch(notice -> notice.level() != Level.WARN);
  }

  @Test
  void aTokenAloneMakesNoClusterOfItsOwn() {
    assertThatThrownBy(() -> read("token=FLEET-1-x"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(": token: lets this machine into no cluster: ");
    assertThatThrownBy(() ->
            new ConfigurationReader(Map.of(), Map.of("token", "FLEET-1-x"), file())
                .read(Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "command line: --token: lets this machine into no cluster: name its servers with"
                + " --join, or in join; or remove the token");
  }

  @Test
  void onlyAFileThatCannotBeReadMayBeThereByItself() {
    assertThat(refused("absent.conf").mayPass()).isTrue();
    assertThat(refused("").mayPass()).isFalse();
  }

  private ConfigurationException refused(String name) {
    return catchThrowableOfType(
        ConfigurationException.class,
        () ->
            new ConfigurationReader(Map.of(), Map.of("join", ","), file())
                .read(Optional.of(name).filter(some -> !some.isEmpty()).map(Path::of)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost.example.org:1", "127.example.org:1", "[::]:1", "0.0.0.0:1"})
  void nameThatOnlyLooksLocalIsNotLoopback(String address) throws Exception {
    Configuration.Api api = read("api_listen=127.0.0.1:2," + address).api();
    assertThat(api.listen()).extracting(InetSocketAddress::getPort).containsExactly(2);
    assertThat(api.listenForPeople()).extracting(InetSocketAddress::getPort).containsExactly(1);
  }

  /** A machine that has joined has no certificate of a server, and knows no grants. */
  @Test
  void aMachineThatJoinsNeedsCertificatesOfTheOperators() {
    assertThatThrownBy(() -> read("join=10.0.0.2\ntoken=t\napi_listen=10.0.0.1:49153"))
        .hasMessageContaining("10.0.0.1:49153 would let everybody who reaches it run commands");
  }

  @ParameterizedTest
  @ValueSource(strings = {"api_certfile=/c", "api_keyfile=/k", "api_cafile=/a"})
  void halfOfTheCertificatesIsRefused(String line) {
    assertThatThrownBy(() -> read(line))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "api_certfile, api_keyfile and api_cafile belong together: set all three, or none");
  }

  @Test
  void userWithoutRuntimeDirectoryIsToldHowToGetOne() {
    environment.put("HOME", "/home/kim");

    assertThatThrownBy(() -> read("systemd_user=true"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "environment: XDG_RUNTIME_DIR is not set to a directory, which systemd_user=true"
                + " needs: log in with a session of your own, or let root run"
                + " \"loginctl enable-linger USER\"");
  }

  @Test
  void namedFileMustExist() {
    assertThatThrownBy(() -> reader().read(Optional.of(file())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("config file " + file() + " does not exist: name another with -config");
  }

  @Test
  void directoryIsNoFile() {
    assertThatThrownBy(() -> reader().read(Optional.of(directory)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("config file " + directory + " is a directory: name a file with -config");
  }
}

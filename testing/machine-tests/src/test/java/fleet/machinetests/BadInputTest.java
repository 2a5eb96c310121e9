package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.Etcd;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One machine that is told wrong things about its etcd, and then right ones. */
@ExtendWith(MachinesExtension.class)
class BadInputTest {

  /** A fleetd whose clock can be changed takes its time to start. */
  private static Etcd open;

  private static Etcd closed;
  private static FleetMachine fleet;

  @BeforeAll
  static void bootOne(Machines machines) {
    open = machines.etcd(EtcdSettings.plain());
    closed = machines.etcd(EtcdSettings.plain().withTls().withPassword("secret"));
    fleet = new FleetMachine(machines.boot());
    fleet.bringCertificates(closed.certificates().orElseThrow());
    fleet
        .machine()
        .succeed(
            "systemctl",
            "enable",
            "/opt/fleet/systemd/fleet.socket",
            "/opt/fleet/systemd/fleet.service");
  }

  /** Nor does the journal tell of earlier tests. */
  @BeforeEach
  void stop() {
    fleet.machine().run("systemctl", "stop", "fleet.service", "fleet.socket");
    fleet.withoutClock();
    fleet.machine().succeed("journalctl", "--rotate");
    fleet.machine().succeed("journalctl", "--vacuum-time=1s");
  }

  private static void start(List<URI> endpoints, String... lines) {
    fleet.configure(endpoints, lines);
    fleet.machine().succeed("systemctl", "start", "--no-block", "fleet.service");
  }

  private static void logs(String regex) {
    fleet.machine().awaitJournal(regex);
  }

  private static void works() {
    fleet
        .machine()
        .await(
            "it is a member",
            () -> fleet.fleetctl("list-machines", "--no-legend").stdout().contains("number"));
    fleet.sleeper("works.service").succeed("start", "works.service");
    fleet.succeed("destroy", "works.service");
  }

  @Test
  void anEndpointThatNobodyListensOnIsNamed() {
    URI real = open.endpoints().getFirst();
    URI wrong = URI.create("http://%s:1".formatted(real.getHost()));
    start(List.of(wrong), "metadata=number=1");
    logs("etcd.*" + wrong.getHost() + ":1");
    fleet.set("etcd_servers", "[\"" + real + "\"]");
    fleet.machine().succeed("systemctl", "restart", "fleet.service");
    works();
  }

  @Test
  void oneOfSeveralEndpointsIsEnough() {
    URI real = open.endpoints().getFirst();
    start(List.of(URI.create("http://%s:1".formatted(real.getHost())), real), "metadata=number=1");
    works();
  }

  @Test
  void certificatesAndPasswordsAreShown() {
    start(closed.endpoints(), login("secret"));
    works();
  }

  @Test
  void aWrongPasswordIsToldFromAWrongCertificate() {
    start(closed.endpoints(), login("wrong"));
    logs("(?i)fleetd.*(password|user|authenticat)");
  }

  @Test
  void withoutACertificateTheLogSpeaksOfTls() {
    start(closed.endpoints(), "metadata=number=1", "etcd_cafile=/etc/fleet/ca.pem");
    logs("(?i)fleetd.*(certificate|tls|ssl)");
  }

  private static String[] login(String password) {
    return new String[] {
      "metadata=number=1",
      "etcd_cafile=/etc/fleet/ca.pem",
      "etcd_certfile=/etc/fleet/client.pem",
      "etcd_keyfile=/etc/fleet/client.key",
      "etcd_username=root",
      "etcd_password=" + password
    };
  }

  @Test
  void anotherPrefixIsAnotherCluster() {
    start(open.endpoints(), "metadata=number=1");
    works();
    fleet.sleeper("mine.service").succeed("submit", "mine.service");
    fleet.set("etcd_key_prefix", "/elsewhere/").machine().succeed("systemctl", "restart", "fleet");
    works();
    assertThat(fleet.succeed("list-unit-files", "--no-legend")).isEmpty();
    fleet
        .set("etcd_key_prefix", "/_coreos.com/fleet/")
        .machine()
        .succeed("systemctl", "restart", "fleet");
    works();
    fleet.succeed("destroy", "mine.service");
  }

  @ParameterizedTest
  @EnumSource
  void garbageInTheStoreIsReportedAndLeftAloneAndAllElseGoesOn(MachineTransport transport) {
    start(open.endpoints(), "metadata=number=1", transport.setting());
    works();
    fleet.sleeper("good.service").succeed("start", "good.service");
    fleet.sleeper("spoilt.service").succeed("start", "spoilt.service");
    String good = fleet.pid("good.service");
    String spoilt = fleet.pid("spoilt.service");
    String id = fleet.machine().id();

    for (String key :
        List.of(
            "unit/spoilt.service",
            "schedule/" + id + "/spoilt.service",
            "placement/spoilt.service",
            "state/" + id + "/spoilt.service",
            "unit/not a unit",
            "machine/nobody")) {
      open.ctl("put", "/_coreos.com/fleet/" + key, "{ this is no JSON");
    }
    logs("unit/spoilt.service");
    works();
    fleet.machine().succeed("systemctl", "restart", "fleet.service");
    works();
    assertThat(fleet.pid("good.service")).isEqualTo(good);
    assertThat(fleet.pid("spoilt.service")).isEqualTo(spoilt);
    assertThat(open.ctl("get", "--print-value-only", "/_coreos.com/fleet/unit/spoilt.service"))
        .isEqualTo("{ this is no JSON");
    open.ctl("del", "--prefix", "/_coreos.com/fleet/");
  }

  @Test
  void aMachineWhoseSettingsAreGarbageKeepsWhatItHasAndGetsNoMore() {
    start(open.endpoints(), "metadata=number=1");
    works();
    fleet.sleeper("kept.service").succeed("start", "kept.service");
    String pid = fleet.pid("kept.service");
    String settings = "/_coreos.com/fleet/settings/" + fleet.machine().id();

    open.ctl("put", settings, "{ this is no JSON");
    logs("settings/.* is not a JSON object");
    fleet.sleeper("more.service").succeed("start", "--no-block", "more.service");
    assertThat(fleet.pid("kept.service")).isEqualTo(pid);
    assertThat(fleet.active("more.service")).isEmpty();

    open.ctl("del", settings);
    fleet.awaitState("more.service", "active running");
    assertThat(fleet.pid("kept.service")).isEqualTo(pid);
    fleet.succeed("destroy", "kept.service", "more.service");
  }

  @ParameterizedTest
  @EnumSource
  void aClockThatJumpsChangesNothing(MachineTransport transport) {
    fleet.withClock();
    start(open.endpoints(), "metadata=number=1", transport.setting());
    works();
    fleet.sleeper("timeless.service").succeed("start", "timeless.service");
    String pid = fleet.pid("timeless.service");
    String fleetd = fleet.pid("fleet.service");
    String before = fleet.log();
    for (String offset : List.of("+3600s", "-86400s", "+400d", "+0")) {
      fleet.stepClock(offset);
      fleet.machine().succeed("sleep", "2");
      works();
    }
    fleet.machine().succeed("sleep", "9");
    assertThat(fleet.pid("timeless.service")).isEqualTo(pid);
    assertThat(fleet.pid("fleet.service")).isEqualTo(fleetd);
    assertThat(fleet.log()).startsWith(before);
    assertThat(fleet.log().substring(before.length())).doesNotContain("is lost");
    fleet.succeed("destroy", "timeless.service");
  }
}

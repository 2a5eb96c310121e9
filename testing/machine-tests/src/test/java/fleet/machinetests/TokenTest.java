package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.Result;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens that let a machine in, or not; and the identity that it has from then on. */
@ExtendWith(MachinesExtension.class)
class TokenTest {

  private static final String IDENTITY = "/var/lib/fleet/identity.pem";

  private static FleetMachine server;
  private static FleetMachine newcomer;
  private static String cursor = "";

  @BeforeAll
  static void bootTwo(Machines machines) {
    List<FleetMachine> booted = machines.boot(2).stream().map(FleetMachine::new).toList();
    server = booted.get(0).configureServer(FleetMachine.PATIENT).install();
    newcomer = booted.get(1);
    newcomer.configureJoined(List.of(address()), token());
    server.succeed("access", "grant", "machine:" + newcomer.machine().id(), "--role=admin");
    newcomer.machine().succeed("systemctl", "enable", "/opt/fleet/systemd/fleet.service");
  }

  /** It is in no cluster again. */
  @AfterEach
  void forget() {
    newcomer.machine().run("systemctl", "stop", "fleet.service", "fleet.socket");
    newcomer.machine().succeed("sh", "-c", "rm -rf /var/lib/fleet/*");
    server.machine().succeed("systemctl", "start", "fleet.service");
  }

  private static String address() {
    return server.machine().address();
  }

  /** For the newcomer alone, which comes with another key each time that it is made new. */
  private static String token(String... options) {
    String[] usual = {"token", "create", "--machine=" + newcomer.machine().id()};
    return server.succeed(options.length == 0 ? usual : options).strip();
  }

  /** Restarts fleet, which may fail. */
  private static void start(String servers, String token) {
    newcomer.configureJoined(List.of(servers), token);
    startAsConfigured();
  }

  private static void startAsConfigured() {
    cursor =
        newcomer
            .machine()
            .succeed("journalctl", "-n0", "--show-cursor")
            .replaceFirst("(?s).*cursor: ", "");
    newcomer.machine().succeed("systemctl", "restart", "--no-block", "fleet.service");
  }

  private static void joins(String servers, String token) {
    start(servers, token);
    newcomer.machine().await("both are listed", () -> Members.listed(newcomer) == 2);
  }

  /** Waits until fleetd says something since it was started. */
  private static void says(String regex) {
    Pattern wanted = Pattern.compile("fleetd.*" + regex);
    newcomer.machine().await("it says " + regex, () -> wanted.matcher(said()).find());
  }

  private static String said() {
    return newcomer
        .machine()
        .succeed("journalctl", "--no-pager", "-u", "fleet.service", "--after-cursor=" + cursor);
  }

  // ---- tokens

  @Test
  void aTokenLetsInOnceAndIsNeededNoMore() {
    joins(address(), token());

    assertThat(newcomer.log()).contains("joined as agent " + newcomer.machine().id());
    assertThat(newcomer.machine().succeed("stat", "-c", "%a %U", IDENTITY)).isEqualTo("600 root");
    newcomer.unset("token").machine().succeed("systemctl", "restart", "fleet.service");
    newcomer.machine().await("both are listed", () -> Members.listed(newcomer) == 2);
  }

  @Test
  void aTokenSaysWhereToGoWithIt() {
    assertThat(server.fleetctl("token").stderr()).contains("join=" + address() + " and token=");
  }

  @Test
  void aTokenInAFileThatOthersCanReadIsTold() {
    newcomer.configureJoined(List.of(address()), token());
    newcomer.machine().succeed("chmod", "644", "/etc/fleet/fleet.conf");
    startAsConfigured();

    says("/etc/fleet/fleet.conf: token: .*chmod 600 /etc/fleet/fleet.conf");
  }

  @Test
  void aTokenThatWasRevokedDoesNot() {
    String token = token();
    server.succeed("token", "revoke", token.split("-", -1)[2]);

    start(address(), token);

    says("the token is unknown, or was revoked: make another with \"fleetctl token create\"");
    newcomer.machine().awaitState("fleet.service", "failed");
    assertThat(newcomer.machine().property("fleet.service", "ExecMainStatus")).isEqualTo("2");
    assertThat(newcomer.machine().property("fleet.service", "NRestarts")).isEqualTo("0");
    assertThat(server.succeed("events", "--since=all"))
        .contains("token " + token.split("-", -1)[2] + " revoked by user root");
  }

  @Test
  void norOneThatHasExpired() {
    String token = token("token", "create", "--ttl=1s");
    server.machine().succeed("sleep", "1");

    start(address(), token);

    says("the token expired at .*: make another with \"fleetctl token create\"");
  }

  @Test
  void aTokenOfAnotherClusterDoesNotBelieveThisOne() {
    String[] parts = token().split("-", -1);
    parts[3] = "0".repeat(parts[3].length());

    start(address(), String.join("-", parts));

    says("server %s:50059: the server is of another cluster than the token".formatted(address()));
  }

  @Test
  void halfATokenIsNone() {
    String token = token();

    start(address(), token.substring(0, token.length() - 5));

    says("the token is not whole: take all of what \"fleetctl token create\" printed");
  }

  @Test
  void withoutATokenItSaysHowToGetOne() {
    start(address(), "");

    says("in no cluster yet: make a token on a server with \"fleetctl token create\"");
  }

  @Test
  void aMachineThatWasAClusterOfItsOwnNeedsATokenToo() {
    newcomer.configureServer();
    startAsConfigured();
    newcomer.machine().await("a token is made", () -> newcomer.fleetctl("token", "create").ok());
    says("other machines are served on");

    start(address(), "");
    says(
        "nobody says who leads: server %s:50059: .*not by this cluster's authority"
            .formatted(address()));

    joins(address(), token());
  }

  @Test
  void aMachineWithUnitsOfItsOwnIsNotToLoseThem() {
    newcomer.configureServer().machine().succeed("systemctl", "start", "fleet.service");
    newcomer.sleeper("mine.service").succeed("start", "mine.service");
    String pid = newcomer.pid("mine.service");
    newcomer.machine().succeed("systemctl", "stop", "fleet.service");

    start(address(), token());

    says(
        "this machine was a cluster of its own, and would stop the units of that .1, in /var/lib/");
    assertThat(newcomer.pid("mine.service")).isEqualTo(pid);
    newcomer.configureServer().machine().succeed("systemctl", "restart", "fleet.service");
    newcomer.succeed("destroy", "mine.service");
    joins(address(), token());
  }

  @Test
  void aServerThatIsNotThereIsWaitedFor() {
    String token = token();
    server.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    start(address(), token);
    says("cannot join yet: server %s:50059: .*refused.*next try in".formatted(address()));
    // systemd takes what a daemon notifies it of when it comes to it.
    newcomer
        .machine()
        .await(
            "its status says what it waits for",
            () ->
                newcomer
                    .machine()
                    .property("fleet.service", "StatusText")
                    .startsWith("waiting to join: server " + address()));
    assertThat(newcomer.fleetctl("list-units").stderr())
        .contains("this machine has not joined its cluster yet: server " + address())
        .contains("refused");

    server.machine().succeed("systemctl", "start", "fleet.service");
    newcomer.machine().await("both are listed", () -> Members.listed(newcomer) == 2);
  }

  @Test
  void ofSeveralServersTheOneThatIsThereWillDo() {
    joins("192.0.2.1,10.255.255.1:1," + address(), token());
  }

  @Test
  void aClockThatIsFarWrongIsTold() {
    newcomer.withClock().stepClock("-3d");

    start(address(), token());

    says("the certificate of .* is good from .*, and here it is .*: check the clocks");
    newcomer.dropIn("clock.conf", "");
  }

  // ---- the port

  /** The exit codes of curl if nobody listens, and if nobody answers. */
  private static final List<Integer> NOT_ASKED = List.of(7, 28);

  /** Asks the server who leads, as a machine does, but for the encryption. */
  private static Result plainText() {
    String emptyMessage = "printf '\\0\\0\\0\\0\\0'";
    String ask =
        "curl --silent --show-error --max-time 10 --http2-prior-knowledge --dump-header /dev/stdout"
            + " --output /dev/null --header 'Content-Type: application/grpc' --header 'TE: trailers'"
            + " --data-binary @- http://%s:50059/fleet.rpc.v1.Directory/Ask".formatted(address());
    return newcomer.machine().run("sh", "-c", emptyMessage + " | " + ask);
  }

  @Test
  void thePortRefusesPlainText() {
    // Before the first one there is no port.
    String _ = token();
    Result asked = plainText();

    assertThat(asked.ok()).as("%s", asked).isFalse();
    assertThat(asked.exitCode()).as("%s", asked).isNotIn(NOT_ASKED);
    assertThat(asked.stdout()).isEmpty();
  }

  @Test
  void plainTextThatWasAskedForNeedsNoToken() {
    server.set("rpc_insecure", "true").machine().succeed("systemctl", "restart", "fleet.service");
    try {
      server.machine().awaitJournal("fleetd.*rpc_insecure=true: ");
      newcomer.configureJoined(List.of(address()), "", "rpc_insecure=true");
      startAsConfigured();

      newcomer.machine().await("both are listed", () -> Members.listed(newcomer) == 2);
      newcomer.sleeper("plain.service", "MachineID=" + newcomer.machine().id());
      newcomer.succeed("start", "plain.service");
      newcomer.succeed("destroy", "plain.service");
      assertThat(plainText().stdout()).contains("HTTP/2 200").contains("application/grpc");
      assertThat(newcomer.machine().run("test", "-e", IDENTITY).ok()).isFalse();
    } finally {
      server.unset("rpc_insecure").machine().succeed("systemctl", "restart", "fleet.service");
    }
  }

  // ---- the identity

  @Test
  void whoLosesItsIdentityJoinsAgainWithATokenAndIsTheSameMachine() {
    joins(address(), token());
    newcomer.sleeper("kept.service", "MachineID=" + newcomer.machine().id());
    newcomer.succeed("start", "kept.service");
    String pid = newcomer.pid("kept.service");
    newcomer.machine().succeed("rm", IDENTITY);
    newcomer.unset("token");
    startAsConfigured();
    says("in no cluster yet");

    joins(address(), token());

    assertThat(newcomer.pid("kept.service")).as("if back in time").matches("[1-9][0-9]*");
    newcomer.succeed("destroy", "kept.service");
    assertThat(pid).isNotEqualTo("0");
  }

  @Test
  void aMachineThatIsInstalledAgainJoinsUnderItsOldId() {
    joins(address(), token());
    newcomer.sleeper("old.service", "MachineID=" + newcomer.machine().id());
    newcomer.succeed("start", "old.service");
    newcomer.losePower();
    newcomer.machine().boot();
    newcomer.machine().run("systemctl", "stop", "fleet.service");
    newcomer.machine().succeed("sh", "-c", "rm -rf /var/lib/fleet/*");

    joins(address(), token());

    newcomer.awaitState("old.service", "active running");
    newcomer.succeed("destroy", "old.service");
  }
}

package fleet.machinetests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The audit log of a server and of two machines that have joined it. */
@ExtendWith(MachinesExtension.class)
class AuditTest {

  private static final int RPC_PORT = 50059;
  private static final int STRANGERS = 200;

  private static JoinedCluster cluster;

  @BeforeAll
  static void boot(Machines machines) {
    cluster = JoinedCluster.boot(machines, 2, "audit_file=/var/log/fleet-audit.log");
  }

  private static FleetMachine server() {
    return cluster.server();
  }

  private static String audit(String... options) {
    String[] command = new String[options.length + 1];
    command[0] = "audit";
    System.arraycopy(options, 0, command, 1, options.length);
    server().machine().syncJournal();
    return server().succeed(command);
  }

  @Test
  void aCommandThroughAnotherMachineIsWrittenDownOnceByTheServer() {
    FleetMachine other = cluster.joined(1);
    other.sleeper("audited.service").succeed("start", "audited.service");

    String who = "user root on " + other.machine().id() + ": ";
    assertThat(audit("--unit=audited.service", "--lines=all"))
        .containsOnlyOnce(who + "unit.put audited.service done, hash none to ");
    assertThat(other.succeed("audit", "--unit=audited.service")).contains(who);
    assertThat(other.machine().run("journalctl", "--quiet", "-t", "fleet-audit").stdout())
        .isEmpty();

    other.unitFile("audited.service", "[Service]\nExecStart=/bin/sleep 9999\n");
    other.succeed("start", "--replace", "audited.service");
    other.succeed("destroy", "audited.service");
    assertThat(audit("--unit=audited.service", "--lines=all"))
        .containsPattern("unit.put audited.service done, hash [0-9a-f]{7} to [0-9a-f]{7}")
        .containsPattern("unit.destroy audited.service done, hash [0-9a-f]{7} to none");
    assertThat(server().machine().read("/var/log/fleet-audit.log"))
        .contains("\"action\":\"unit.destroy\",\"target\":\"audited.service\"");
    assertThat(server().machine().succeed("stat", "-c", "%a", "/var/log/fleet-audit.log").strip())
        .isEqualTo("600");
  }

  @Test
  void tokensJoinsRefusalsAndReadingsAreWrittenDown() {
    String token = cluster.token().split("-", -1)[2];
    assertThat(server().fleetctl("token", "revoke", "00000000").ok()).isFalse();
    server().sleeper("secret.service").succeed("submit", "secret.service");
    cluster.joined(2).succeed("cat", "secret.service");

    String log = audit("--lines=all");
    assertThat(log)
        .contains("user root: token.create " + token + " done: role agent, good until ")
        .contains("user root: token.revoke 00000000 refused: token does not exist")
        .contains(
            "user root on " + cluster.joined(2).machine().id() + ": unit.read secret.service done")
        .containsPattern(
            "\\d: machine.join " + cluster.joined(1).machine().id() + " done: token [0-9a-f]{8}\n");
    assertThat(audit("--subject=root", "--lines=all"))
        .contains("token.create " + token)
        .doesNotContain("user root on");
    server().succeed("destroy", "secret.service");
  }

  @Test
  void requestsHaveAnIdThatTheLogHasToo() {
    String debug = cluster.joined(1).fleetctl("--debug", "cat", "missing.service").stderr();
    assertThat(debug).containsPattern("-> 404, request [0-9a-f-]{36}");

    server().sleeper("named.service");
    String told = server().fleetctl("--debug", "submit", "named.service").stderr();
    String id = told.replaceFirst("(?s).*PUT [^\n]*, request ([0-9a-f-]{36}).*", "$1");
    assertThat(audit("--unit=named.service", "--output=json")).contains("\"request\":\"" + id);
    server().succeed("destroy", "named.service");
  }

  // ---- commands of people

  private static final String RUNNING =
      "systemctl list-units --all --no-legend --plain 'fleet-exec-*'";

  private static Result shell(FleetMachine on, String script) {
    return on.machine().run("sh", "-c", "PATH=$PATH:/opt/fleet/bin; " + script);
  }

  @Test
  void aCommandRunsOnAMachineAndItsBeginningAndItsEndAreWrittenDown() {
    FleetMachine other = cluster.joined(1);
    String there = cluster.joined(2).machine().id();

    Result piped =
        shell(
            other,
            "printf 'a\\0b' | fleetctl exec "
                + there
                + " -- sh -c 'od -c; pwd; echo \"$0\" >&2; exit 7' '$HOME  x'");

    assertThat(piped.exitCode()).as(piped.toString()).isEqualTo(7);
    assertThat(piped.stdout()).contains("a  \\0   b").endsWith("/root");
    assertThat(piped.stderr()).isEqualTo("$HOME  x");
    assertThat(other.fleetctl("exec", there, "--", "sh", "-c", "kill -TERM $$").exitCode())
        .isEqualTo(143);
    assertThat(audit("--lines=all"))
        .contains("user root on " + other.machine().id() + ": machine.exec " + there + " done: sh");
    // It is written down after the caller has the exit status.
    String end = "machine.exec-end " + there + " done: exit status 7 after ";
    server().machine().await(end, () -> audit("--lines=all").contains(end));
  }

  @Test
  void aTerminalHasTheSizeOfTheCallers() {
    Result typed =
        shell(
            server(),
            "echo 'tty; stty size; exit 7' | script -qec 'stty rows 33 cols 99; fleetctl exec "
                + cluster.joined(2).machine().id()
                + " -- sh' /dev/null");
    assertThat(typed.exitCode()).as(typed.toString()).isEqualTo(7);
    assertThat(typed.stdout()).contains("/dev/pts/", "33 99");
  }

  @Test
  void aCommandEndsWithItsCaller() {
    FleetMachine there = cluster.joined(2);
    server()
        .machine()
        .succeed(
            "systemd-run",
            "--unit=caller",
            "/opt/fleet/bin/fleetctl",
            "exec",
            there.machine().id(),
            "--",
            "sleep",
            "4711");
    there.machine().await("it runs", () -> shell(there, RUNNING).stdout().contains("running"));
    server().machine().succeed("systemctl", "kill", "--signal=KILL", "caller.service");
    there.machine().await("it is gone", () -> shell(there, RUNNING).stdout().isBlank());
  }

  @Test
  void whoeverIsNoAdminRunsNothing() {
    FleetMachine other = cluster.joined(2);
    String id = other.machine().id();
    server().succeed("access", "grant", "machine:" + id, "--role=operator");

    Result refused = other.fleetctl("exec", id, "--", "touch", "/root/reached");

    assertThat(refused.exitCode()).isEqualTo(255);
    assertThat(refused.stderr()).contains("may not run commands on").contains("--role=admin");
    assertThat(other.machine().run("test", "-e", "/root/reached").ok()).isFalse();
    assertThat(audit("--lines=all")).contains("machine.exec " + id + " refused: ");
    server().succeed("access", "grant", "machine:" + id, "--role=admin");
  }

  // ---- attacks

  @Test
  void aFloodOfWrongTokensPushesNothingOut() {
    server().sleeper("before.service").succeed("submit", "before.service");
    flood(cluster.joined(2));

    String log = audit("--lines=all");
    assertThat(log).contains("unit.put before.service done");
    assertThat(log.lines().filter(line -> line.contains("machine.join stranger refused")).count())
        .as("of %d attempts", STRANGERS)
        .isBetween(1L, 30L);
    server()
        .machine()
        .await(
            "the flood is counted",
            () -> audit("--lines=all").matches("(?s).*machine.join refused left-out: \\d+ more.*"));
    server().succeed("destroy", "before.service");
  }

  /** Asks to join with a token that does not exist, again and again. */
  private static void flood(FleetMachine from) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    put(request, 1, "deadbeef");
    put(request, 2, "secret");
    put(request, 3, "stranger");
    byte[] message = request.toByteArray();
    byte[] framed =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    String url =
        "https://%s:%d/fleet.rpc.v1.Enrolment/Enrol"
            .formatted(server().machine().address(), RPC_PORT);
    from.machine()
        .succeed(
            "sh",
            "-c",
            "echo %s | base64 -d >/tmp/enrol; for i in 1 2 3 4; do curl --silent --insecure --http2"
                    .formatted(Base64.getEncoder().encodeToString(framed))
                + " --header 'content-type: application/grpc' --header 'te: trailers'"
                + " --data-binary @/tmp/enrol "
                + String.join(" ", Collections.nCopies(STRANGERS / 4, url))
                + " >/dev/null; done");
  }

  private static void put(ByteArrayOutputStream message, int field, String text) {
    message.write(field << 3 | 2);
    message.write(text.length());
    message.writeBytes(text.getBytes(UTF_8));
  }

  @Test
  void anEntryOfSomebodyElseDoesNotCount() {
    server().machine().succeed("sh", "-c", entry("by-logger.service"));
    cluster.joined(2).machine().succeed("sh", "-c", entry("by-agent.service"));

    assertThat(server().machine().succeed("journalctl", "-t", "fleet-audit")).contains("forged");
    assertThat(audit("--lines=all"))
        .contains("machine.join ")
        .doesNotContain("forged", "by-logger", "by-agent");
  }

  /** Writes an entry as if it were of the audit log. */
  private static String entry(String target) {
    return "printf '%s\\n' MESSAGE=forged SYSLOG_IDENTIFIER=fleet-audit FLEET_RESULT=done"
        + (" FLEET_ACTION=unit.put FLEET_TARGET=" + target + " | logger --journald")
        + " && journalctl --sync";
  }
}

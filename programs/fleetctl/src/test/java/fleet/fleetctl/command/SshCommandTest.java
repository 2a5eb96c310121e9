package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.fake.FakeSsh;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shells and commands on machines. */
final class SshCommandTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";

  @TempDir Path directory;
  private FakeDaemon daemon;
  private FakeSsh ssh;
  private Terminal terminal;

  @BeforeEach
  void start() throws Exception {
    Path socket = directory.resolve("fleet.sock");
    daemon = new FakeDaemon(socket, true, FakeDaemon::obedient);
    daemon.add("web@1.service", UNIT, "launched");
    ssh = new FakeSsh(directory.resolve("bin"));
    terminal =
        new Terminal(directory, socket)
            .with("PATH", ssh.path())
            .with("HOME", directory.toString())
            .with("SSH_AUTH_SOCK", "/nosuch");
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
  }

  private Ran ssh(String... arguments) {
    String[] line = new String[arguments.length + 1];
    line[0] = "ssh";
    System.arraycopy(arguments, 0, line, 1, arguments.length);
    return terminal.run(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node1",
        "node1.example",
        "113f",
        "10.0.0.3",
        "113f16a7.../10.0.0.3",
        "web@1",
        "--machine=node1",
        "--unit=web@1.service"
      })
  void aCommandRunsThereAndItsExitStatusIsOurs(String target) throws IOException {
    assertThat(ssh(target, "--", "test", "-d", "/", "&&", "exit", "7"))
        .isEqualTo(new Ran(7, "", ""));
    assertThat(ssh.last()).endsWith("--", "10.0.0.3", "test", "-d", "/", "&&", "exit", "7");
  }

  @Test
  void withoutACommandItIsAShell() throws IOException {
    assertThat(ssh("node1")).isEqualTo(new Ran(0, "", ""));

    assertThat(ssh.last()).endsWith("--", "10.0.0.3");
    assertThat(ssh.last()).doesNotContain("-A", "-T", "-p", "-l");
  }

  @Test
  void theAgentAndThePortAreForThoseWhoAsk() throws IOException {
    assertThat(ssh("-A", "--ssh-port=2222", "node1").code()).isZero();

    assertThat(ssh.last()).containsSubsequence("-o", "ControlPath=none", "-p", "2222", "-A", "--");
    assertThat(ssh("--ssh-port=99999", "node1").code()).isEqualTo(2);
    assertThat(ssh("node1").code()).isZero();
    assertThat(ssh.last()).doesNotContain("-p", "-A");
  }

  @Test
  void theWayLeadsThroughTheTunnel() throws IOException {
    assertThat(ssh("--tunnel=bastion:2200", "--ssh-username=core", "node1").code()).isZero();

    String proxy =
        ssh.last().stream().filter(word -> word.startsWith("ProxyCommand=")).findFirst().orElse("");
    assertThat(proxy)
        .contains("'-l' 'core' '-p' '2200' -W '[%h]:%p' -- 'bastion'", "UserKnownHostsFile=");
    assertThat(ssh.last()).endsWith("-l", "core", "--", "10.0.0.3");
  }

  @Test
  void theWayLeadsThroughTheHostOfTheEndpointAndItsUserIsKept() throws IOException {
    String endpoint = "--endpoint=ssh://anna@bastion" + directory.resolve("fleet.sock");

    assertThat(ssh(endpoint, "node1").code()).isZero();

    assertThat(ssh.last()).anyMatch(word -> word.startsWith("ProxyCommand="));
    assertThat(ssh.last()).endsWith("-l", "anna", "--", "10.0.0.3");
  }

  @ParameterizedTest
  @CsvSource({
    "--machine=a --unit=b, 'Both machine and unit flags provided, please specify only one.'",
    "-A, Unable to proceed: one machine or unit must be provided",
    "nosuch, Unable to proceed: could not find matching unit or machine",
    "every, Unable to proceed: global units unsupported: choose one of its machines",
    "--machine=nosuch, Unable to proceed: no machine is called",
    "--unit=nosuch, Unable to proceed: unit does not exist: nosuch.service",
    "--unit=every, Unable to proceed: global units unsupported",
    "--unit=idle, Unable to proceed: Unit idle.service does not appear to be loaded",
    "node1.service node1, 'Unable to proceed: ambiguous argument, both machine and unit found for'"
  })
  void aTargetThatIsNotOneIsNamed(String line, String text) throws Exception {
    daemon.add("idle.service", UNIT, "inactive");
    daemon.add("every.service", UNIT + "[X-Fleet]\nGlobal=true\n", "inactive");
    List<String> words = List.of(line.split(" ", -1));
    if (words.getFirst().endsWith(".service")) {
      daemon.add(words.getFirst(), UNIT, "launched");
    }

    Ran ran =
        ssh(
            words.getFirst().endsWith(".service")
                ? new String[] {words.get(1)}
                : words.toArray(String[]::new));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith(text);
    assertThat(directory.resolve("bin/calls")).doesNotExist();
  }

  /** A machine reports its address itself: as an option, it would be a command run here. */
  @ParameterizedTest
  @ValueSource(strings = {"-oProxyCommand=id", "-F", "bank.example", "10.0.0.3 -v", "a@10.0.0.3"})
  void anAddressIsNoOptionAndNoName(String address) {
    daemon.address(address);

    Ran ran = ssh("113f", "true");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("which is no IP address");
    assertThat(directory.resolve("bin/calls")).doesNotExist();
  }

  @Test
  void aMachineWithoutAnAddressIsNamed() {
    daemon.address("");

    assertThat(ssh("113f").err()).isEqualTo("Could not determine address of machine.\n");
  }

  @Test
  void aFailureOfSshIsItsOwnAndTellsOfTheAgent() throws IOException {
    ssh.exit("connected", 255);

    assertThat(ssh("node1")).isEqualTo(new Ran(255, "", ""));
    terminal.with("SSH_AUTH_SOCK", "");
    assertThat(ssh("node1").err())
        .startsWith("WARN SSH_AUTH_SOCK environment variable is not set.");
  }

  @Test
  void statusAndJournalOfFleet1GoByWayOfSsh() throws Exception {
    daemon.close();
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), false, FakeDaemon::obedient);
    daemon.add("it's.service", UNIT, "launched");
    ssh.program("systemctl", "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n");
    ssh.program("sudo", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");

    assertThat(terminal.run("status", "--ssh-port=2222", "it's"))
        .isEqualTo(new Ran(3, "status\n--no-pager\n-l\n--\nit's.service\n", ""));
    assertThat(ssh.last()).containsSubsequence("-p", "2222", "-T", "--", "10.0.0.3");
    assertThat(terminal.run("journal", "--sudo", "-n", "5", "it's"))
        .isEqualTo(
            new Ran(
                0, "journalctl\n--unit\nit's.service\n--no-pager\n-n\n5\n--output\nshort\n", ""));
  }
}

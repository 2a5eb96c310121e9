package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeSsh;
import fleet.fleetctl.fake.FakeTlsServer;
import fleet.trust.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster is reached through ssh. */
final class SshConnectionTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";

  @TempDir Path directory;
  private Path socket;
  private FakeDaemon daemon;
  private FakeSsh ssh;
  private Terminal terminal;

  @BeforeEach
  void start() throws Exception {
    socket = directory.resolve("it's fleet.sock");
    daemon = new FakeDaemon(socket, true, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");
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

  private Ran list(String... flags) {
    String[] arguments = List.of(flags).toArray(new String[flags.length + 1]);
    arguments[flags.length] = "list-units";
    return terminal.run(arguments);
  }

  private Ran listed(String... flags) {
    Ran ran = list(flags);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("a.service");
    return ran;
  }

  @Test
  void anEndpointNamesUserHostPortAndSocket() throws IOException {
    var _ = listed("--endpoint=ssh://anna@node1:2222" + socket);

    assertThat(ssh.last())
        .containsSubsequence("-l", "anna", "-p", "2222", "-T", "--", "node1")
        .containsSubsequence("-o", "ConnectTimeout=10")
        .containsSubsequence(
            "-o",
            "UserKnownHostsFile=\"" + directory + "/.fleetctl/known_hosts\" ~/.ssh/known_hosts")
        .noneMatch(argument -> argument.startsWith("StrictHostKeyChecking"));
    assertThat(ssh.last().getLast()).contains("fleetctl fd-forward", "fleet.sock");
  }

  @Test
  void aTunnelLeadsToTheSocketThere() throws IOException {
    terminal.with("FLEETCTL_TUNNEL", "bastion:2200");

    var _ = listed();

    assertThat(ssh.last()).containsSubsequence("-p", "2200", "-T", "--", "bastion");
    assertThat(ssh.last()).doesNotContain("-l", "-A");
  }

  @Test
  void aTunnelLeadsToAPortAndItsTls() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "server", "EC");
    try (FakeTlsServer server =
        new FakeTlsServer(
            certificate.takingAny(),
            (_, out) -> FakeHttpServer.reply(out, 200, "{\"machines\":[]}", "Connection: close"))) {
      Ran ran =
          terminal.run(
              "--tunnel=bastion",
              "--endpoint=https://localhost:" + server.port(),
              "--ca-file=" + directory.resolve("server.pem"),
              "list-machines");

      assertThat(ran).isEqualTo(new Ran(0, "MACHINE\tIP\tMETADATA\n", ""));
      assertThat(ssh.last())
          .containsSubsequence("-W", "localhost:" + server.port(), "--", "bastion");
    }
  }

  @Test
  void theFlagsOfFleet1HaveTheirEffect() throws IOException {
    var _ =
        listed(
            "--tunnel=bastion",
            "--ssh-username=core",
            "--ssh-timeout=2.5",
            "--known-hosts-file=known here",
            "--strict-host-key-checking");

    assertThat(ssh.last())
        .containsSubsequence("-o", "ConnectTimeout=3")
        .contains("StrictHostKeyChecking=ask")
        .contains("UserKnownHostsFile=\"" + Path.of("known here").toAbsolutePath() + "\"")
        .containsSubsequence("-l", "core", "--", "bastion");
  }

  @Test
  void anUncheckedConnectionIsUsedByNobodyElse() throws IOException {
    var _ = listed("--tunnel=bastion", "--strict-host-key-checking=false");

    assertThat(ssh.last())
        .contains("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "ControlPath=none");
    assertThat(ssh.calls()).hasSize(1);
  }

  @Test
  void oneConnectionAsksAndServesAllThatFollow() throws IOException {
    var _ = listed("--tunnel=bastion");

    assertThat(ssh.calls()).hasSize(3);
    assertThat(ssh.calls().get(0)).containsSubsequence("-O", "check");
    assertThat(ssh.calls().get(1)).containsSubsequence("-f", "-N");
    ssh.exit("check", 0);

    var _ = listed("--tunnel=bastion");

    assertThat(ssh.calls()).hasSize(5);
    assertThat(ssh.last()).contains("ControlMaster=auto", "ControlPersist=60");
    assertThat(Files.getPosixFilePermissions(directory.resolve(".fleetctl")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  /** A connection in a directory of others could be theirs. */
  @Test
  void noConnectionIsKeptInADirectoryThatOthersEnter() throws IOException {
    Files.createDirectory(
        directory.resolve(".fleetctl"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));

    var _ = listed("--tunnel=bastion");

    assertThat(ssh.calls()).hasSize(1);
    assertThat(ssh.last()).contains("ControlPath=none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"connect", "connected"})
  void aHostThatSshCannotReachIsAskedOnce(String step) throws IOException {
    ssh.exit(step, 255);
    terminal.with("SSH_AUTH_SOCK", "");

    Ran ran = list("--endpoint=ssh://anna@node1");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("ssh cannot connect to anna@node1", "SSH_AUTH_SOCK environment variable is not")
        .hasLineCount(1);
  }

  @Test
  void aHostWithoutFleetctlIsNamed() throws IOException {
    ssh.exit("connected", 127);

    Ran ran = list("--tunnel=bastion");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("bastion has no fleetctl on its PATH").hasLineCount(1);
  }

  @Test
  void aHostWithoutFleetdIsNamed() {
    Ran ran = list("--endpoint=ssh://node1" + directory + "/other.sock");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("fleetctl fd-forward on node1 ended with exit code 1");
  }

  @Test
  void aMachineWithoutSshSaysSo() {
    terminal.with("PATH", directory + "/none");

    assertThat(list("--tunnel=bastion").err()).contains("there is no ssh on the PATH");
  }

  /** A name that begins with a dash would be an option, with a command to run here. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--endpoint=ssh://-oProxyCommand=id",
        "--endpoint=ssh://-oProxyCommand=id@host",
        "--endpoint=ssh://a;id@host",
        "--tunnel=-Fid",
        "--tunnel=host$(id)",
        "--tunnel=host:99999"
      })
  void aHostIsNoOptionAndNoCommand(String flag) {
    Ran ran = list(flag);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Unable to initialize client: ").hasLineCount(1);
    assertThat(directory.resolve("bin/calls")).doesNotExist();
  }

  @Test
  void aTunnelAndAnSshEndpointExcludeEachOther() {
    Ran ran = list("--tunnel=bastion", "--endpoint=ssh://node1");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--tunnel and an endpoint ssh://");
  }

  /** Every class costs time at each start. */
  @Test
  void nothingOfSshIsLoadedWithoutIt() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                "fleet.fleetctl.Main",
                "--endpoint=unix://" + socket,
                "list-units")
            .redirectErrorStream(true)
            .start();

    String loaded = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isZero();
    assertThat(loaded)
        .contains("fleet.fleetctl.http.Dialer", "a.service")
        .doesNotContain("fleet.fleetctl.ssh", "Endpoint$Ssh", "SshAccess", "SshTransports");
  }
}

package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.fake.FakeSsh;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The flags and variables of fleet 1.0 have their effect, or are refused in plain words. */
final class FormerFlagsTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";
  private static final String OTHER = "[Service]\nExecStart=/bin/false\n";

  @TempDir Path directory;
  private FakeDaemon daemon;
  private volatile FakeDaemon.Machine machine = FakeDaemon::obedient;

  @BeforeEach
  void start() throws Exception {
    daemon =
        new FakeDaemon(
            directory.resolve("fleet.sock"),
            true,
            (fleetd, unit, desired) -> machine.desiredStateChanged(fleetd, unit, desired));
    daemon.add("idle.service", UNIT, "inactive");
    daemon.add("web.service", UNIT, "launched");
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private Ran run(String line) {
    return terminal().run(line.split(" ", -1));
  }

  // ---- flags of listings

  @ParameterizedTest
  @CsvSource({
    "list-machines --full", "list-machines --l", "list-machines -l",
    "list-units --full", "list-units --l", "list-units -l",
    "list-unit-files --full"
  })
  void aListIsNotShortened(String line) {
    assertThat(run(line.split(" ", -1)[0]).out()).doesNotContain(FakeDaemon.MACHINE);
    assertThat(run(line).out()).contains(FakeDaemon.MACHINE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"list-machines", "list-units", "list-unit-files"})
  void aListHasNoHeader(String command) {
    List<String> lines = run(command).out().lines().toList();
    assertThat(run(command + " --no-legend").out().lines()).hasSize(lines.size() - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list-machines|machine,ip,metadata,machine",
        "list-units|unit,load,active,sub,machine,hash",
        "list-unit-files|unit,hash,dstate,state,target,tmachine,desc,global"
      })
  void aListHasAllFieldsOfFleet1(String command, String fields) {
    Ran ran = run(command + " --fields=" + fields);

    assertThat(ran.code()).isZero();
    assertThat(
            ran.out().lines().findFirst().orElseThrow().toLowerCase(Locale.ROOT).split("\t+", -1))
        .containsExactly(fields.split(",", -1));
    assertThat(ran.err().contains("\"tmachine\" field is deprecated"))
        .isEqualTo(fields.contains("tmachine"));
  }

  @ParameterizedTest
  @CsvSource({
    "list-machines, MACHINE IP METADATA",
    "list-units, UNIT MACHINE ACTIVE SUB",
    "list-unit-files, UNIT HASH DSTATE STATE TARGET"
  })
  void aListHasTheColumnsOfFleet1(String command, String header) {
    assertThat(run(command).out().lines().findFirst().orElseThrow().replaceAll("\t+", " "))
        .isEqualTo(header);
  }

  // ---- flags of commands that change something

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "load --no-block idle.service|Triggered unit idle.service load",
        "start --no-block idle.service|Triggered unit idle.service start",
        "stop --no-block web.service|Triggered unit web.service stop",
        "unload --no-block web.service|Triggered unit web.service unload",
        "destroy --no-block web.service|Destroyed web.service"
      })
  void aCommandDoesNotWait(String line, String out) {
    machine = (_, _, _) -> {};

    Ran ran = run(line);

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).isEqualTo(out + "\n");
  }

  /** Each attempt takes two seconds, so all commands wait at the same time. */
  @Test
  void aCommandGivesUpAfterItsAttempts() throws Exception {
    machine = (_, _, _) -> {};
    List<String> lines =
        List.of(
            "load --block-attempts=1 a.service",
            "start --block-attempts=1 b.service",
            "stop --block-attempts=1 c.service",
            "unload --block-attempts=1 d.service",
            "destroy --block-attempts=1 e.service",
            "restart --block-attempts=1 f.service");
    for (String unit : List.of("a", "b", "c", "d", "e", "f")) {
      boolean running = unit.compareTo("c") >= 0;
      daemon.add(unit + ".service", UNIT, running ? "launched" : "inactive");
    }
    List<Future<Ran>> results = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      lines.forEach(line -> results.add(threads.submit(() -> run(line))));
      for (int i = 0; i < lines.size(); i++) {
        Ran ran = results.get(i).get();
        assertThat(ran.code()).as(lines.get(i)).isEqualTo(1);
        assertThat(ran.err()).as(lines.get(i)).contains("timed out");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"submit", "load", "start"})
  void aStoredUnitIsReplaced(String command) throws Exception {
    terminal().write("idle.service", OTHER);

    assertThat(run(command + " --replace idle.service").code()).isZero();

    assertThat(run("cat idle.service").out()).isEqualTo(OTHER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"submit", "load", "start"})
  void aSignatureIsTakenForNothing(String command) {
    assertThat(run(command + " --sign idle.service").code()).isZero();
    assertThat(run(command + " --sign idle.service").err()).isEmpty();
    assertThat(run(command + " --signed idle.service").code()).isEqualTo(2);
  }

  // ---- flags of commands that show something

  @ParameterizedTest
  @CsvSource({
    "--lines=3, lines=3&follow=0&output=short",
    "--lines 3, lines=3&follow=0&output=short",
    "--output=cat, lines=10&follow=0&output=cat",
    "-o cat, lines=10&follow=0&output=cat",
    "--sudo, lines=10&follow=0&output=short",
    "--ssh-port=2222, lines=10&follow=0&output=short",
    "--follow --output=verbose, lines=10&follow=1&output=verbose",
    "--f --output=verbose, lines=10&follow=1&output=verbose",
    "-f --output=verbose, lines=10&follow=1&output=verbose"
  })
  void aJournalIsAskedForAsTheFlagsSay(String flags, String query) {
    assertThat(run("journal " + flags + " web.service").code()).isZero();
    assertThat(daemon.requests())
        .anyMatch(request -> request.contains("/units/web.service/journal?" + query));
  }

  @Test
  void thePortOfSshIsForDaemonsOfFleet1Alone() {
    assertThat(run("status --ssh-port=2222 web.service")).isEqualTo(run("status web.service"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--h"})
  void aCommandExplainsItself(String flag) {
    assertThat(run("start " + flag)).isEqualTo(run("help start"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "stop", "unload", "load", "submit", "destroy", "restart"})
  void aCommandWithoutUnitsIsAWrongCall(String command) {
    assertThat(run(command).code()).isEqualTo(2);
    assertThat(run(command).err()).startsWith("No units given");
  }

  // ---- commands that are gone, or for other programs

  @Test
  void verifyIsGone() {
    Ran ran = run("verify web.service");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("units are not signed any more");
  }

  @ParameterizedTest
  @CsvSource({
    "fd-forward, 2, Provide a single argument",
    "fd-forward /nosuch.sock, 1, Failed dialing remote address: "
  })
  void forwardingFailsInPlainWords(String line, int code, String text) {
    assertThat(run(line).code()).isEqualTo(code);
    assertThat(run(line).err()).startsWith(text);
  }

  // ---- global flags, each of which has a variable

  @ParameterizedTest
  @CsvSource({
    "ca-file, /nosuch, cannot read the TLS file /nosuch",
    "cert-file, /nosuch, go together",
    "debug, true, DEBUG GET /fleet/v1/state",
    "driver, etcd, the driver etcd is not supported",
    "endpoint, ftp://host, unknown scheme \"ftp\"",
    "etcd-cafile, /nosuch, cannot read the TLS file /nosuch",
    "etcd-certfile, /nosuch, go together",
    "etcd-key-prefix, /other/, ''",
    "etcd-keyfile, /nosuch, go together",
    "experimental-api, false, the driver etcd is not supported",
    "help, true, ''",
    "key-file, /nosuch, go together",
    "request-timeout, 0, must be more than 0",
    "tunnel, a b, is not [USER@]HOST[:PORT]"
  })
  void aVariableDoesWhatItsFlagDoes(String flag, String value, String text) {
    Ran byFlag = terminal().run("list-units", "--" + flag + "=" + value);
    String variable = EnvironmentDefaults.variable("--" + flag);

    assertThat(terminal().with(variable, value).run("list-units")).isEqualTo(byFlag);

    assertThat(byFlag.err()).contains(text);
    assertThat(byFlag.err().isEmpty()).isEqualTo(text.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "known-hosts-file, /known, UserKnownHostsFile=\"/known\"",
    "ssh-timeout, 2.5, ConnectTimeout=3",
    "ssh-username, core, core",
    "strict-host-key-checking, true, StrictHostKeyChecking=ask",
    "tunnel, bastion, bastion"
  })
  void aVariableOfSshDoesWhatItsFlagDoes(String flag, String value, String argument)
      throws IOException {
    FakeSsh ssh = new FakeSsh(directory.resolve("bin"));
    ssh.exit("connect", 255);
    Terminal terminal =
        terminal()
            .with("PATH", ssh.path())
            .with("HOME", directory.toString())
            .with("FLEETCTL_TUNNEL", "host");
    assertThat(terminal.run("list-units").code()).isEqualTo(1);
    assertThat(ssh.last()).doesNotContain(argument);

    assertThat(terminal.run("list-units", "--" + flag + "=" + value).code()).isEqualTo(1);
    assertThat(ssh.last()).contains(argument);
    assertThat(
            terminal
                .with(EnvironmentDefaults.variable("--" + flag), value)
                .run("list-units")
                .code())
        .isEqualTo(1);
    assertThat(ssh.last()).contains(argument);
  }

  @Test
  void theVersionIsAskedForByTheFirstWordAlone() {
    assertThat(run("list-units --version")).isEqualTo(run("list-units"));
    assertThat(terminal().with("FLEETCTL_VERSION", "true").run("list-units"))
        .isEqualTo(run("list-units"));
  }
}

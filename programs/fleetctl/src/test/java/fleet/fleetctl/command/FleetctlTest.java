package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.fake.FakeHttpServer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

final class FleetctlTest {

  @TempDir Path directory;

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  static List<String> commands() {
    return CommandNames.ALL;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-v", "version"})
  void tellsItsVersion(String argument) {
    Ran ran = terminal().run(argument);

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).matches("fleetctl version \\d+\\.\\d+\\.\\d+\\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "help", "--help", "-h"})
  void showsAllCommands(String argument) {
    Ran ran = argument.isEmpty() ? terminal().run() : terminal().run(argument);

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("NAME:", "USAGE:", "VERSION:", "COMMANDS:", "GLOBAL OPTIONS:");
    CommandNames.ALL.stream()
        .filter(name -> !name.equals("fd-forward"))
        .forEach(name -> assertThat(ran.out()).containsOnlyOnce("\n      " + name + " "));
    assertThat(ran.out()).doesNotContain("fd-forward");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void explainsEveryCommand(String command) {
    Ran ran = terminal().run(command, "--help");

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains(
            "NAME:\n    " + command + " - ", "DESCRIPTION:", "EXIT CODES:", "EXAMPLES:\n    ");
    assertThat(terminal().run("help", command)).isEqualTo(ran);
  }

  /** Lines that picocli does not take for an exit code and its meaning are left out. */
  @ParameterizedTest
  @MethodSource("commands")
  void everyExitCodeIsExplainedThatACommandHas(String command) {
    String help = terminal().run(command, "--help").out();
    List<String> lines =
        help.substring(help.indexOf("EXIT CODES:"), help.indexOf("\n\nEXAMPLES:"))
            .lines()
            .skip(1)
            .toList();

    assertThat(lines).allMatch(line -> line.matches("    ([0-9]+ +|    )\\S.*"));
    assertThat(CommandNames.create(command).getClass().getAnnotation(Command.class).exitCodeList())
        .allMatch(code -> code.matches("(?s)[0-9]+:.+"));
    if (help.contains("--block-attempts") || help.contains("Ctrl-C")) {
      assertThat(lines).anyMatch(line -> line.startsWith("    130 "));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "frobnicate x, unknown command \"frobnicate\"",
    "list-u, Did you mean this?",
    "strat x, start",
    "start --bogus x, unknown flag: --bogus",
    "start --block-attempts=x a, --block-attempts",
    "start, No units given",
    "stop, No units given",
    "destroy, No units given",
    "status --machine=one, No units given",
    "status -o json web, without units",
    "cat a b, One unit file must be provided",
    "list-machines node[, malformed pattern",
    "list-machines --watch -o=yaml, --watch needs -o table",
    "version x, unexpected argument: x",
    "list-units --sort --failed, Expected parameter for option '--sort' but found '--failed'",
    "help frobnicate, Unknown help topic [`frobnicate`].",
    "--endpoint=x, no command was given"
  })
  void callsThatAreWrongExit2AndSaySoOnStandardError(String call, String text) {
    Ran ran = terminal().run(call.split(" "));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(text).contains("--help' for usage.");
  }

  @Test
  void saysWhatToDoWhereThereIsNoSocket() {
    Ran ran = terminal().run("list-units");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("there is no socket " + directory.resolve("fleet.sock"))
        .contains("is fleetd running? Try: systemctl status fleet")
        .hasLineCount(1);
  }

  @Test
  void saysWhatToDoWhereNobodyListens() throws IOException {
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(directory.resolve("fleet.sock")));
    }

    assertThat(terminal().run("list-units").err()).contains("nobody listens on");
  }

  @Test
  void tellsThatTheDaemonCannotServe() throws IOException {
    try (FakeDaemon daemon =
        new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient)) {
      daemon.unavailable(true);

      Ran ran = terminal().run("list-units");

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err())
          .contains("fleetd cannot serve now: fleet server unable to communicate with etcd")
          .hasLineCount(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--endpoint=var/run/fleet.sock, URL scheme undefined",
    "--endpoint=unix://var/run/fleet.sock, unable to connect to host \"var\" with scheme \"unix\"",
    "--endpoint=ftp://host, unknown scheme \"ftp\"",
    "--endpoint=http://host:99999, bad port",
    "--tunnel=a b, is not [USER@]HOST[:PORT]",
    "--driver=etcd, the driver etcd is not supported",
    "--driver=foo, unrecognized driver \"foo\"",
    "--experimental-api=false, the driver etcd is not supported",
    "--cert-file=/nosuch, go together",
    "--ca-file=/nosuch, cannot read the TLS file /nosuch",
    "--request-timeout=0, must be more than 0"
  })
  void refusesWhatItCannotConnectWith(String flag, String text) {
    Ran ran = terminal().run(flag, "list-units");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("Unable to initialize client: ")
        .contains(text)
        .hasLineCount(1);
  }

  @Test
  void takesGlobalFlagsFromTheEnvironment() {
    assertThat(terminal().with("FLEETCTL_TUNNEL", "a b").run("list-units").err())
        .contains("\"a b\" is not");
    assertThat(terminal().with("FLEETCTL_TUNNEL", "").run("list-units").err())
        .contains("there is no socket");
    assertThat(terminal().with("FLEETCTL_DEBUG", "maybe").run("list-units"))
        .satisfies(ran -> assertThat(ran.code()).isEqualTo(2))
        .satisfies(ran -> assertThat(ran.err()).contains("environment"));
  }

  @Test
  void theCommandLineWinsOverTheEnvironment() {
    Ran ran = terminal().run("list-units", "--endpoint", "unix:///nosuch.sock");

    assertThat(ran.err()).contains("there is no socket /nosuch.sock");
  }

  @Test
  void takesFlagsOnBothSidesOfTheCommandAndOldOnesWithoutEffect() throws IOException {
    try (FakeDaemon daemon =
        new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient)) {
      Terminal terminal = terminal();
      terminal.write("a.service", "[Service]\nExecStart=/bin/true\n");

      Ran ran =
          terminal.run(
              "--strict-host-key-checking=false",
              "--ssh-username",
              "core",
              "--no-block",
              "start",
              "--",
              "a.service");

      assertThat(ran.code()).isZero();
      assertThat(daemon.unit("a.service")).isPresent();
    }
  }

  @Test
  void writesRequestsToStandardErrorWhenDebugging() throws IOException {
    try (FakeDaemon daemon =
        new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient)) {
      assertThat(terminal().run("list-units", "--debug").err())
          .isEqualTo("DEBUG GET /fleet/v1/state?limit=1000&stale=1 -> 200\n");
      assertThat(daemon.requests()).hasSize(1);
    }
  }

  @Test
  void givesUpOnADaemonThatDoesNotAnswer() throws Exception {
    try (FakeHttpServer silent =
        FakeHttpServer.onSocket(directory.resolve("fleet.sock"), (request, out) -> true)) {
      Ran ran = terminal().run("--request-timeout=0.3", "list-units");

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("no answer within 0.3 s");
      // The server may take the connection later than that.
      Await.until(() -> silent.connections() > 0);
      assertThat(silent.connections()).isEqualTo(1);
    }
  }
}

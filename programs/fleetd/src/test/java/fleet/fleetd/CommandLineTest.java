package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  @Test
  void nothingMeansRun() {
    assertThat(CommandLine.parse()).isEqualTo(new CommandLine.Run(Optional.empty(), Map.of()));
    assertThat(CommandLine.parse("--")).isEqualTo(new CommandLine.Run(Optional.empty(), Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-config /f", "--config /f", "-config=/f", "--config=/f", "-config /a -config /f"})
  void fileIsNamedInSeveralWays(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1)))
        .isEqualTo(new CommandLine.Run(Optional.of(Path.of("/f")), Map.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "-version", "--version", "-config /f version"})
  void versionIsAskedForInSeveralWays(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1))).isEqualTo(new CommandLine.ShowVersion());
  }

  @Test
  void helpFitsATerminal() {
    assertThat(CommandLine.USAGE.lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--h", "-help", "--help"})
  void helpIsAskedForInSeveralWays(String option) {
    assertThat(CommandLine.parse(option)).isEqualTo(new CommandLine.ShowHelp());
  }

  @ParameterizedTest
  @ValueSource(strings = {"list-units", "start web.service", "-- start"})
  void argumentsAreForFleetctl(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1)))
        .isEqualTo(
            new CommandLine.Refused(
                "fleetd takes no arguments. Did you mean to invoke fleetctl instead?"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-agent_ttl=3s", "--verbosity", "-configs"})
  void otherOptionsAreRefused(String option) {
    assertThat(CommandLine.parse(option))
        .isEqualTo(new CommandLine.Refused("fleetd: " + option + " is not an option of fleetd"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--join a:1,b --token FLEET-1-x -config /f",
        "-config=/f --token=FLEET-1-x --join=a:1,b",
        "-join b -join a:1,b -token FLEET-1-x -config /f"
      })
  void serversToJoinAndTheTokenAreOptionsOfTheConfiguration(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1)))
        .isEqualTo(
            new CommandLine.Run(
                Optional.of(Path.of("/f")), Map.of("join", "a:1,b", "token", "FLEET-1-x")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--join=", "-join=", "--token FLEET-1-x --join= "})
  void anEmptyListOfServersIsNotTakenForNone(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1)))
        .isEqualTo(
            new CommandLine.Refused(
                "fleetd: --join is empty: name a server such as 10.0.0.1, or leave it out"));
    assertThat(CommandLine.parse("--join", " ")).isInstanceOf(CommandLine.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--token=", "--join a -token=", "--join a --token "})
  void anEmptyTokenIsNotTakenForNone(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1)))
        .isEqualTo(
            new CommandLine.Refused(
                "fleetd: --token is empty: make one on a server with \"fleetctl token create\", or"
                    + " leave it out"));
  }

  @Test
  void optionWithoutItsFileIsRefused() {
    assertThat(CommandLine.parse("--join"))
        .isEqualTo(new CommandLine.Refused("fleetd: --join needs a server"));
    assertThat(CommandLine.parse("--join", "a", "--token"))
        .isEqualTo(new CommandLine.Refused("fleetd: --token needs a token"));
    assertThat(CommandLine.parse("-config"))
        .isEqualTo(new CommandLine.Refused("fleetd: -config needs a file"));
  }

  @Test
  void aBackupIsRestoredByAWordOfItsOwn() {
    assertThat(CommandLine.parse("restore", "b"))
        .isEqualTo(new CommandLine.Restore(Path.of("b"), Optional.empty(), false));
    assertThat(CommandLine.parse("restore", "-config", "c", "--force", "b"))
        .isEqualTo(new CommandLine.Restore(Path.of("b"), Optional.of(Path.of("c")), true));
    for (String line :
        new String[] {
          "restore -config=c b",
          "restore --config=c b",
          "restore b -config c",
          "restore b --config=c"
        }) {
      assertThat(CommandLine.parse(line.split(" ", -1)))
          .as(line)
          .isEqualTo(new CommandLine.Restore(Path.of("b"), Optional.of(Path.of("c")), false));
    }
    for (String wrong :
        new String[] {
          "restore", "restore a b", "restore --loud b", "restore -config= b", "restore b -config"
        }) {
      assertThat(CommandLine.parse(wrong.split(" ", -1))).isInstanceOf(CommandLine.Refused.class);
    }
  }
}

package fleet.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  @Test
  void nothingMeansRun() {
    assertThat(CommandLine.parse()).isEqualTo(new CommandLine.Run(Optional.empty()));
    assertThat(CommandLine.parse("--")).isEqualTo(new CommandLine.Run(Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-config /f", "--config /f", "-config=/f", "--config=/f", "-config /a -config /f"})
  void fileIsNamedInSeveralWays(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1)))
        .isEqualTo(new CommandLine.Run(Optional.of(Path.of("/f"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "-version", "--version", "-config /f version"})
  void versionIsAskedForInSeveralWays(String line) {
    assertThat(CommandLine.parse(line.split(" ", -1))).isEqualTo(new CommandLine.ShowVersion());
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
                "fleetd takes no arguments. Did you mean to invoke fleetctl instead?", 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-agent_ttl=3s", "--verbosity", "-configs"})
  void otherOptionsAreRefused(String option) {
    assertThat(CommandLine.parse(option))
        .isEqualTo(new CommandLine.Refused("fleetd: " + option + " is not an option of fleetd", 2));
  }

  @Test
  void optionWithoutItsFileIsRefused() {
    assertThat(CommandLine.parse("-config"))
        .isEqualTo(new CommandLine.Refused("fleetd: -config needs a file", 2));
  }
}

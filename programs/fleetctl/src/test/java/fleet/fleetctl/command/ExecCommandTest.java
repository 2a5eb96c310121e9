package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures before a command runs; they are never taken for its own. */
class ExecCommandTest {

  @TempDir Path directory;

  private FakeDaemon daemon;
  private Terminal terminal;

  @BeforeEach
  void start() throws IOException {
    Path socket = directory.resolve("fleet.sock");
    daemon = new FakeDaemon(socket, true, FakeDaemon::obedient);
    terminal = new Terminal(directory, socket);
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exec", "exec node1", "exec --machine=node1"})
  void aLineWithoutACommandIsAnErrorOfUsage(String line) {
    Ran ran = terminal.run(line.split(" ", -1));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).startsWith("Error: name a machine or a unit, and a command to run there");
  }

  @Test
  void whateverKeepsACommandFromRunningEndsWith255() {
    assertThat(terminal.run("exec", "nosuch", "--", "true"))
        .satisfies(ran -> assertThat(ran.code()).isEqualTo(255))
        .satisfies(ran ->
            assertThat(ran.err())
                .startsWith("Error: Unable to proceed: could not find matching unit or machine"));
    Ran other = terminal.run("exec", "node1", "--", "true");
    assertThat(other.code()).isEqualTo(255);
    assertThat(other.err()).startsWith("Error: what answers at ").contains("is not fleetd");
    assertThat(daemon.requests())
        .contains("POST /fleet/v1/machines/" + FakeDaemon.MACHINE + "/exec");
  }
}

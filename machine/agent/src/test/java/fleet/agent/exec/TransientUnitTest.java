package fleet.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.question.ExecTerminal;
import fleet.core.question.Question;
import fleet.core.question.TerminalWindow;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TransientUnitTest {

  private static List<String> line(Optional<ExecTerminal> terminal, String... command) {
    return TransientUnit.of("0a1b2c3d", false)
        .run(new Question.Exec(UUID.randomUUID().toString(), List.of(command), terminal));
  }

  @Test
  void systemdRunStartsTheCommandAsRootWithPipes() {
    assertThat(line(Optional.empty(), "ls", "-l"))
        .startsWith("systemd-run")
        .contains("--wait", "--collect", "--unit=fleet-exec-0a1b2c3d.service", "--pipe")
        .contains("--property=User=root")
        .doesNotContain("--pty")
        .endsWith("sh", "ls", "-l");
  }

  @Test
  void aTerminalIsOfTheTypeOfTheCaller() {
    ExecTerminal terminal = new ExecTerminal("screen", TerminalWindow.USUAL);
    assertThat(line(Optional.of(terminal), "top"))
        .contains("--pty", "--setenv=TERM=screen")
        .contains("printf '\\0'; trap : INT QUIT; \"$$@\"; exit $$?")
        .doesNotContain("--pipe");
  }

  /** systemd would put in variables of its own. */
  @Test
  void dollarsReachTheCommand() {
    assertThat(line(Optional.empty(), "sh", "-c", "echo $HOME ${X}"))
        .endsWith("echo $$HOME $${X}")
        .contains("trap : INT QUIT; \"$$@\"; exit $$?");
  }

  /** Flags of the command are none of systemd-run. */
  @Test
  void theCommandComesBehindADoubleDash() {
    List<String> line = line(Optional.empty(), "--uid=nobody");
    assertThat(line.indexOf("--")).isLessThan(line.indexOf("--uid=nobody")).isPositive();
  }

  @Test
  void theManagerOfTheUserRunsWhatIsTheUsers() {
    TransientUnit unit = TransientUnit.of("0a1b2c3d", true);
    Question.Exec exec =
        new Question.Exec(UUID.randomUUID().toString(), List.of("id"), Optional.empty());
    assertThat(unit.run(exec)).contains("--user").doesNotContain("--property=User=root");
    assertThat(unit.stop())
        .containsExactly(
            "systemctl", "--user", "stop", "--no-block", "--", "fleet-exec-0a1b2c3d.service");
  }
}

package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.DesiredState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody removes what fleet keeps below {@code /run}. */
class LostMarksTest extends AgentOnSystemd {

  private ScheduleEntry running(String unit) throws Exception {
    ScheduleEntry web = launched(unit, SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> isRunning(state) && state.restartCounter() == 1);
    return web;
  }

  private void removeAll(String directories) throws IOException {
    for (String name : directories.split(" ", -1)) {
      try (Stream<Path> files = Files.walk(directory.resolve(name))) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"marks", "units", "marks units"})
  void theNextAgentFindsItsUnitsAndKeepsTheirProcesses(String removed) throws Exception {
    ScheduleEntry web = running("kept.service");
    String before = shown(web, "InvocationID");
    removeAll(removed);

    restartAgent();
    engine.schedule(List.of(web));

    engine.awaitState(
        web.unit(),
        state ->
            isRunning(state)
                && state.restartCounter() == 1
                && state.performed() == DesiredState.LAUNCHED);
    assertThat(shown(web, "InvocationID")).isEqualTo(before);
    assertThat(directory.resolve("marks/kept.service")).exists();
    assertThat(directory.resolve("units/kept.service")).hasContent(SLEEP);
    forget(web);
  }

  @ParameterizedTest
  @ValueSource(strings = {"marks", "marks units"})
  void theNextAgentStopsWhatIsNotToBeHereAnyMore(String removed) throws Exception {
    ScheduleEntry web = running("gone.service");
    removeAll(removed);

    restartAgent();
    engine.schedule(List.of());

    engine.awaitGone(web.unit());
    assertThat(shown(web, "ActiveState")).isEqualTo("inactive");
    assertThat(shown(web, "LoadState")).isEqualTo("not-found");
  }

  @Test
  void theNextAgentReplacesWhatHasAnotherContentNow() throws Exception {
    ScheduleEntry web = running("other.service");
    removeAll("marks");

    restartAgent();
    ScheduleEntry other =
        launched("other.service", "[Service]\nExecStart=/bin/sleep 2000\n", "i2", 1);
    engine.schedule(List.of(other));

    engine.awaitState(
        web.unit(), state -> isRunning(state) && state.incarnation().equals(other.incarnation()));
    assertThat(shown(web, "ExecStart")).contains("sleep 2000");
    forget(other);
  }

  @Test
  void unitsComeToAMachineWhoseDirectoriesAreGone() throws Exception {
    ScheduleEntry first = running("first.service");
    removeAll("marks units");

    ScheduleEntry second = launched("second.service", SLEEP);
    engine.change(second);

    engine.awaitState(second.unit(), AgentOnSystemd::isRunning);
    forget(first);
    forget(second);
  }
}

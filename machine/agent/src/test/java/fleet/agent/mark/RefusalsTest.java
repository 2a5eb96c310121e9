package fleet.agent.mark;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalsTest {

  private static final ScheduleEntry WEB = entry("i1", 7);

  @TempDir Path directory;

  @Test
  void justTheEntryThatWasRefusedIs() throws IOException {
    assertThat(refusals("boot").where(WEB)).isEmpty();
    refusals("boot").note(WEB, "/usr/lib/web.service");
    assertThat(refusals("boot").where(WEB)).contains("/usr/lib/web.service");
    assertThat(refusals("boot").where(entry("i1", 8))).isEmpty();
    assertThat(refusals("boot").where(entry("i2", 7))).isEmpty();
    assertThat(refusals("another boot").where(WEB)).isEmpty();
  }

  @Test
  void theLastRefusalOfAUnitCountsUntilItIsForgotten() throws IOException {
    refusals("boot").note(WEB, "/usr/lib/web.service");
    refusals("boot").note(entry("i1", 8), "a directory\nwith a line end");
    assertThat(refusals("boot").where(WEB)).isEmpty();
    assertThat(refusals("boot").where(entry("i1", 8))).contains("a directory with a line end");
    refusals("boot").forget(WEB.unit());
    assertThat(refusals("boot").where(entry("i1", 8))).isEmpty();
  }

  @Test
  void refusalsAreNoMarks() throws IOException {
    refusals("boot").note(WEB, "/usr/lib/web.service");
    assertThat(new Marks(directory, "boot").readAll())
        .isEqualTo(new Marks.Found(List.of(), List.of()));
  }

  @Test
  void aHalfWrittenOneIsNone() throws IOException {
    refusals("boot").note(WEB, "/usr/lib/web.service");
    Files.writeString(directory.resolve(".refused/web.service"), "boot\ni1\n");
    assertThat(refusals("boot").where(WEB)).isEmpty();
  }

  private Refusals refusals(String boot) throws IOException {
    return new Marks(directory, boot).refusals();
  }

  private static ScheduleEntry entry(String incarnation, long revision) {
    return new ScheduleEntry(
        UnitName.of("web.service"),
        new Incarnation(incarnation),
        new UnitFile(List.of()),
        TargetState.LAUNCHED,
        1,
        false,
        revision,
        Overcommit.NONE,
        List.of());
  }
}

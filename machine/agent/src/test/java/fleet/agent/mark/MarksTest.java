package fleet.agent.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class MarksTest {

  private static final Mark PLACED = placing("web@a\\x2db.service", true).placed();

  @TempDir Path directory;

  private static Mark placing(String unit, boolean global, String... require) {
    return Mark.placing(
        new ScheduleEntry(
            UnitName.of(unit),
            new Incarnation("i1"),
            new UnitFile(List.of()),
            TargetState.LAUNCHED,
            1,
            global,
            7,
            Overcommit.NONE,
            List.of(require)));
  }

  @Test
  void whatWasWrittenIsFoundAgain() throws IOException {
    Mark other = placing("b.timer", false, "Memory=1G", "MachineMetadata=a b=c").starting(3, "abc");
    write("boot", PLACED);
    write("boot", other);
    assertThat(new Marks(directory, "boot").readAll().current())
        .containsExactlyInAnyOrder(PLACED, other);
    assertThat(Marks.require(directory.resolve("b.timer")))
        .containsExactly("Memory=1G", "MachineMetadata=a b=c");
  }

  @Test
  void noValueBecomesTwoLinesOfAMark() throws IOException {
    Mark attack = placing("b.timer", false, "Memory=1M\nglobal=true\nboot=x");

    assertThatThrownBy(() -> write("boot", attack))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the mark of b.timer would be broken by \"Memory=1M\\x0aglobal=true\\x0aboot=x\"");
    assertThat(new Marks(directory, "boot").readAll().current()).isEmpty();
  }

  @Test
  void onePlacedAgainHasWhatIsAskedNowAndTheStartOfBefore() {
    Mark before = placing("b.timer", true, "Memory=1G").placed().starting(3, "abc").startTaken();
    Mark again = placing("b.timer", true, "Memory=2G").startedAs(before);
    assertThat(again)
        .isEqualTo(placing("b.timer", true, "Memory=2G").starting(3, "abc").startTaken());
    assertThat(again.complete()).isFalse();
  }

  @Test
  void theLastWordCounts() throws IOException {
    write("boot", PLACED.starting(1, "abc"));
    write("boot", PLACED.starting(1, "abc").startTaken());
    assertThat(new Marks(directory, "boot").readAll().current())
        .containsExactly(PLACED.starting(1, "abc").startTaken());
  }

  @Test
  void theLifeOfAMarkIsOneFileThatStaysSmall() throws IOException {
    Marks marks = new Marks(directory, "boot");
    Mark mark = placing(PLACED.unit().value(), false, "Memory=1G");
    marks.write(mark);
    for (int start = 0; start < 100; start++) {
      for (Mark next :
          List.of(
              mark.placed(),
              mark.placed().starting(start, "abc"),
              mark.placed().starting(start, "abc").startTaken(),
              mark.placed().starting(start, "abc").startTaken().aboutToStop(),
              mark.placed().starting(start, "abc").startTaken().notStopped())) {
        marks.note(next);
        assertThat(marks.readAll().current()).containsExactly(next);
      }
      marks.update(mark.placed().starting(start, "abc").startTaken().aboutToStop());
      marks.note(mark.placed().stopped());
      assertThat(marks.readAll().current()).containsExactly(mark.placed());
    }
    for (int start = 0; start < 1000; start++) {
      marks.update(mark.starting(start, "abc"));
      assertThat(marks.readAll().current()).containsExactly(mark.starting(start, "abc"));
    }
    assertThat(Files.size(directory.resolve(PLACED.unit().value()))).isLessThanOrEqualTo(4096);
  }

  @Test
  void whatBecameOfAMarkThatIsNotThereIsWrittenToo() throws IOException {
    new Marks(directory, "boot").update(PLACED.starting(2, "abc"));
    assertThat(new Marks(directory, "boot").readAll().current())
        .containsExactly(PLACED.starting(2, "abc"));
  }

  @Test
  void marksOfAnotherBootAreApart() throws IOException {
    write("yesterday", PLACED);
    Marks.Found found = new Marks(directory, "today").readAll();
    assertThat(found.current()).isEmpty();
    assertThat(found.stale()).containsExactly(PLACED);
  }

  @Test
  void aHalfWrittenMarkIsNoMark() throws IOException {
    Files.writeString(directory.resolve(".web.service.part"), "format=1\nboot=bo");
    Files.writeString(directory.resolve("not a unit"), "format=1\n");
    Files.write(directory.resolve("bytes.service"), new byte[] {(byte) 0xff, (byte) 0xfe});
    Files.createDirectory(directory.resolve("folder.service"));
    assertThat(new Marks(directory, "boot").readAll())
        .isEqualTo(new Marks.Found(List.of(), List.of()));
  }

  @Test
  void aDeletedMarkIsGone() throws IOException {
    Marks marks = new Marks(directory, "boot");
    marks.write(PLACED);
    marks.delete(PLACED.unit());
    assertThat(marks.readAll().current()).isEmpty();
  }

  private void write(String boot, Mark mark) throws IOException {
    new Marks(directory, boot).write(mark);
  }
}

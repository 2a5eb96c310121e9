package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.rpc.v1.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** In which order an agent is told what is new of its schedule. */
class OutgoingScheduleTest {

  private final OutgoingSchedule schedule = new OutgoingSchedule(Map.of(), false);

  @Test
  void aUnitIsLeftAloneUntilItsEntryIsToldHoweverManyMessagesComeBefore() {
    schedule.snapshot(StreamTest.MACHINE, List.of(), Set.of(StreamTest.WEB));
    assertThat(take().getLast().getLeftAlone().getUnitsList())
        .containsExactly(StreamTest.WEB.value());

    List<ScheduleEntry> changed = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      changed.add(large(UnitName.of("large%d.service".formatted(i))));
    }
    changed.add(StreamTest.entry(StreamTest.WEB, 10));
    schedule.delta(changed, Set.of(), Set.of());

    List<Schedule> told = take();
    assertThat(told).hasSizeGreaterThan(1);
    assertThat(told.stream().filter(Schedule::hasLeftAlone)).containsExactly(told.getLast());
    assertThat(told.getLast().getEntriesList())
        .anyMatch(entry -> entry.getUnit().equals(StreamTest.WEB.value()));
  }

  @Test
  void thatNoOtherUnitsAreLeftAloneIsNoNews() {
    schedule.snapshot(StreamTest.MACHINE, List.of(), Set.of(StreamTest.WEB));
    take();

    schedule.delta(List.of(StreamTest.entry(StreamTest.DB, 11)), Set.of(), Set.of(StreamTest.WEB));

    assertThat(take()).hasSize(1).noneMatch(Schedule::hasLeftAlone);
  }

  private List<Schedule> take() {
    List<Schedule> told = new ArrayList<>();
    while (schedule.isDue()) {
      told.add(schedule.take());
    }
    return told;
  }

  private static ScheduleEntry large(UnitName unit) {
    ScheduleEntry entry = StreamTest.entry(unit, 10);
    return new ScheduleEntry(
        unit,
        entry.incarnation(),
        new UnitFile(List.of(new UnitOption("X-Test", unit.value(), "x".repeat(100 << 10)))),
        entry.target(),
        entry.restartCounter(),
        entry.global(),
        entry.revision(),
        Overcommit.NONE,
        List.of());
  }
}

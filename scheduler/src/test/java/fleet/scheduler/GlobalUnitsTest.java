package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GlobalUnitsTest {

  private static final Machine MACHINE = Pictures.described("m", "region=eu");

  @Test
  void metadataAndMachineIdDecide() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            List.of(),
            List.of(
                Pictures.demand("us.service", "MachineMetadata=region=us"),
                Pictures.demand("eu.service", "MachineMetadata=region=eu"),
                Pictures.demand("other.service", "MachineID=n"),
                Pictures.demand("all.service")));

    assertThat(judged.applicable())
        .containsExactly(UnitName.of("all.service"), UnitName.of("eu.service"));
    assertThat(judged.others())
        .containsExactly(
            entry(UnitName.of("other.service"), "is not n"),
            entry(UnitName.of("us.service"), "lacks region=us"));
  }

  @Test
  void ofTwoThatConflictTheFirstInTheAlphabetApplies() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            List.of(),
            List.of(
                Pictures.demand("c.service"),
                Pictures.demand("b.service", "Conflicts=*"),
                Pictures.demand("a.service", "Conflicts=b.service")));

    assertThat(judged.applicable())
        .containsExactly(UnitName.of("a.service"), UnitName.of("c.service"));
    assertThat(judged.others())
        .containsExactly(entry(UnitName.of("b.service"), "conflicts with a.service"));
  }

  @Test
  void onlyOneThatAppliesStandsInAnothersWay() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            List.of(),
            List.of(
                Pictures.demand("a.service", "Conflicts=*", "MachineMetadata=region=us"),
                Pictures.demand("b.service")));

    assertThat(judged.applicable()).containsExactly(UnitName.of("b.service"));
  }

  @Test
  void aPlacedUnitStaysWhateverItsName() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            List.of(Pictures.demand("z.service", "Conflicts=a.service")),
            List.of(Pictures.demand("a.service")));

    assertThat(judged.others())
        .containsExactly(entry(UnitName.of("a.service"), "conflicts with z.service"));
  }

  @Test
  void agentsAndLeaderComeToTheSameAnswer() throws Exception {
    Pictures leader =
        new Pictures()
            .machine("m", "region=eu")
            .unit("m", "z.service", "Conflicts=b.*")
            .leaving("z.service")
            .global("a.service", "MachineMetadata=region=eu")
            .global("b.service");

    GlobalUnits agent =
        GlobalUnits.of(
            MACHINE,
            List.of(scheduled("z.service", "Conflicts=b.*", Target.STOPPING)),
            List.of(
                scheduled("b.service", "Global=true", Target.LAUNCHED),
                scheduled("a.service", "MachineMetadata=region=eu", Target.LOADED)));

    assertThat(agent).isEqualTo(leader.picture().machine("m").orElseThrow().globals());
    assertThat(agent.applicable()).containsExactly(UnitName.of("a.service"));
  }

  private static ScheduleEntry scheduled(String unit, String line, Target target) throws Exception {
    UnitFile file = UnitFile.parse("[X-Fleet]\n" + line);
    return new ScheduleEntry(
        UnitName.of(unit), new Incarnation("1"), file, target, 0, line.startsWith("Global"), 1);
  }
}

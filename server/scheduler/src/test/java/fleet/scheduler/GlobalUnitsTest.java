package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.machine.Resources;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class GlobalUnitsTest {

  private static final Machine MACHINE = Layouts.described("m", "region=eu");

  @Test
  void metadataAndMachineIdDecide() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            Overcommit.NONE,
            List.of(),
            List.of(
                Layouts.demand("us.service", "MachineMetadata=region=us"),
                Layouts.demand("eu.service", "MachineMetadata=region=eu"),
                Layouts.demand("other.service", "MachineID=n"),
                Layouts.demand("all.service")));

    assertThat(judged.applicable())
        .containsExactly(UnitName.of("all.service"), UnitName.of("eu.service"));
    assertThat(inWords(judged))
        .containsExactly(
            entry(UnitName.of("other.service"), "is not n"),
            entry(UnitName.of("us.service"), "lacks region=us"));
  }

  @Test
  void ofTwoThatConflictTheFirstInTheAlphabetApplies() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            Overcommit.NONE,
            List.of(),
            List.of(
                Layouts.demand("c.service"),
                Layouts.demand("b.service", "Conflicts=*"),
                Layouts.demand("a.service", "Conflicts=b.service")));

    assertThat(judged.applicable())
        .containsExactly(UnitName.of("a.service"), UnitName.of("c.service"));
    assertThat(inWords(judged))
        .containsExactly(entry(UnitName.of("b.service"), "conflicts with a.service"));
  }

  @Test
  void onlyOneThatAppliesStandsInAnothersWay() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            Overcommit.NONE,
            List.of(),
            List.of(
                Layouts.demand("a.service", "Conflicts=*", "MachineMetadata=region=us"),
                Layouts.demand("b.service")));

    assertThat(judged.applicable()).containsExactly(UnitName.of("b.service"));
  }

  @Test
  void aPlacedUnitStaysWhateverItsName() {
    GlobalUnits judged =
        GlobalUnits.judge(
            MACHINE,
            Overcommit.NONE,
            List.of(Layouts.demand("z.service", "Conflicts=a.service")),
            List.of(Layouts.demand("a.service")));

    assertThat(inWords(judged))
        .containsExactly(entry(UnitName.of("a.service"), "conflicts with z.service"));
  }

  @Test
  void agentsAndLeaderComeToTheSameAnswer() throws Exception {
    Layouts leader =
        new Layouts()
            .machine("m", "region=eu")
            .unit("m", "z.service", "Conflicts=b.*")
            .leaving("z.service")
            .global("a.service", "MachineMetadata=region=eu")
            .global("b.service");

    GlobalUnits agent =
        GlobalUnits.of(
            MACHINE,
            Overcommit.NONE,
            List.of(scheduled("z.service", "Conflicts=b.*", TargetState.STOPPING)),
            List.of(
                scheduled("b.service", "Global=true", TargetState.LAUNCHED),
                scheduled("a.service", "MachineMetadata=region=eu", TargetState.LOADED)));

    assertThat(agent).isEqualTo(leader.layout().machine("m").orElseThrow().globals());
    assertThat(agent.applicable()).containsExactly(UnitName.of("a.service"));
  }

  @Test
  void agentsCountWhatUnitsAskBesideTheirFilesAsTheLeaderDoes() throws Exception {
    Layouts leader = new Layouts();
    leader.layout().putMachine(SMALL);
    leader
        .unit("m", "z.service", "Memory=6G")
        .global("a.service", "MachineMetadata=region=us")
        .global("b.service", "Memory=1G", "Memory=3G")
        .global("c.service", "Memory=1G", "Memory=2G");

    GlobalUnits agent =
        GlobalUnits.of(
            SMALL,
            Overcommit.NONE,
            List.of(asking(scheduled("z.service", "", TargetState.LAUNCHED), "Memory=6G")),
            List.of(
                asking(
                    scheduled("a.service", "Global=true", TargetState.LAUNCHED),
                    "MachineMetadata=region=us"),
                asking(scheduled("b.service", "Memory=1G", TargetState.LAUNCHED), "Memory=3G"),
                asking(scheduled("c.service", "Memory=1G", TargetState.LAUNCHED), "Memory=2G")));

    assertThat(agent).isEqualTo(leader.layout().machine("m").orElseThrow().globals());
    assertThat(agent.applicable()).containsExactly(UnitName.of("c.service"));
  }

  private static ScheduleEntry asking(ScheduleEntry entry, String require) {
    return new ScheduleEntry(
        entry.unit(),
        entry.incarnation(),
        entry.file(),
        entry.target(),
        entry.restartCounter(),
        entry.global(),
        entry.revision(),
        entry.overcommit(),
        List.of(require));
  }

  private static final Machine SMALL =
      new Machine(
          "m",
          "boot",
          "",
          Map.of(),
          "2.0.0",
          Isolation.KEEP,
          new Resources(2000, 10L << 30, 0),
          new Resources(0, 2L << 30, 0));

  @Test
  void aGlobalUnitThatComesLaterTakesNoMoreThanIsLeft() {
    GlobalUnits judged =
        GlobalUnits.judge(
            SMALL,
            Overcommit.NONE,
            List.of(Layouts.demand("z.service", "Memory=4G")),
            List.of(
                Layouts.demand("a.service", "Memory=3G"),
                Layouts.demand("b.service", "Memory=2G"),
                Layouts.demand("c.service", "Memory=1G", "Cores=3"),
                Layouts.demand("d.service", "Memory=1G"),
                Layouts.demand("e.service")));

    assertThat(judged.applicable())
        .containsExactly(
            UnitName.of("a.service"), UnitName.of("d.service"), UnitName.of("e.service"));
    assertThat(inWords(judged))
        .containsExactly(
            entry(UnitName.of("b.service"), "has no room for 2G of memory"),
            entry(UnitName.of("c.service"), "has no room for 3 cores"));
  }

  @Test
  void whatIsPromisedTwiceIsThereForGlobalUnitsAsWell() {
    GlobalUnits judged =
        GlobalUnits.judge(
            SMALL,
            new Overcommit(1, 2),
            List.of(),
            List.of(Layouts.demand("a.service", "Memory=16G")));

    assertThat(judged.applicable()).containsExactly(UnitName.of("a.service"));
  }

  @Test
  void aUnitComesAndGoesAndAGlobalOneWithTheRoomThatIsLeft() {
    Layouts layouts = new Layouts();
    layouts.layout().putMachine(SMALL);
    layouts.global("g.service", "Memory=5G");
    MachineInfo machine = layouts.layout().machine("m").orElseThrow();
    assertThat(machine.reserved().memory()).isEqualTo(5L << 30);

    layouts.unit("m", "web.service", "Memory=4G");
    assertThat(machine.globals().applicable()).isEmpty();
    assertThat(machine.reserved().memory()).isEqualTo(4L << 30);

    layouts.layout().remove(UnitName.of("web.service"));
    assertThat(machine.globals().applicable()).containsExactly(UnitName.of("g.service"));
    layouts.layout().overcommit(new Overcommit(1, 0.5));
    assertThat(machine.globals().applicable()).isEmpty();
  }

  private static Map<UnitName, String> inWords(GlobalUnits judged) {
    Map<UnitName, String> words = new TreeMap<>();
    judged.others().forEach((unit, rejection) -> words.put(unit, rejection.text()));
    return words;
  }

  private static ScheduleEntry scheduled(String unit, String line, TargetState target)
      throws Exception {
    UnitFile file = UnitFile.parse("[X-Fleet]\n" + line);
    return new ScheduleEntry(
        UnitName.of(unit),
        new Incarnation("1"),
        file,
        target,
        0,
        line.startsWith("Global"),
        1,
        Overcommit.NONE,
        List.of());
  }
}

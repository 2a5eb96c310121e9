package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterLayoutTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName LOG = UnitName.of("log.service");

  private final ClusterLayout layout = new ClusterLayout();

  private MachineInfo machine(String id) {
    return layout.machine(id).orElseThrow();
  }

  @Test
  void machinesAreSortedByTheirIds() {
    for (String id : List.of("c", "a", "b")) {
      layout.putMachine(Layouts.described(id));
    }

    assertThat(layout.machines()).extracting(MachineInfo::id).containsExactly("a", "b", "c");
  }

  @Test
  void aUnitIsInOnePlaceOnly() {
    layout.putMachine(Layouts.described("a"));
    layout.putMachine(Layouts.described("b"));

    layout.place(WEB, Requirements.NONE, "a");
    layout.place(WEB, Requirements.NONE, "b");

    assertThat(layout.placement(WEB)).contains("b");
    assertThat(machine("a").holds(WEB)).isFalse();
    assertThat(machine("a").load()).isZero();
    assertThat(machine("b").load()).isEqualTo(1);
  }

  @Test
  void placingALeavingUnitAgainMakesItStay() {
    layout.putMachine(Layouts.described("a"));
    layout.place(WEB, Requirements.NONE, "a");

    layout.leave(WEB);
    assertThat(machine("a").isLeaving(WEB)).isTrue();
    assertThat(machine("a").runs("web.service")).isFalse();
    layout.place(WEB, Requirements.NONE, "a");

    assertThat(machine("a").isLeaving(WEB)).isFalse();
    assertThat(machine("a").runs("web.service")).isTrue();
  }

  @Test
  void placementsOutliveTheirMachineAndPrecedeIt() {
    layout.place(WEB, Requirements.NONE, "a");
    assertThat(layout.machine("a")).isEmpty();
    assertThat(layout.placement(WEB)).contains("a");

    layout.putMachine(Layouts.described("a"));
    assertThat(machine("a").units()).extracting(Demand::unit).containsExactly(WEB);

    layout.removeMachine("a");
    assertThat(layout.machines()).isEmpty();
    assertThat(layout.placement(WEB)).contains("a");

    layout.remove(WEB);
    layout.putMachine(Layouts.described("a"));
    assertThat(layout.placement(WEB)).isEmpty();
    assertThat(machine("a").units()).isEmpty();
  }

  @Test
  void globalUnitsFollowEveryChange() {
    layout.putMachine(Layouts.described("a"));
    assertThat(machine("a").runs("log.service")).isFalse();

    layout.putGlobal(LOG, Layouts.asking("log.service", "MachineMetadata=x=1"));
    assertThat(machine("a").globals().others().values())
        .extracting(Rejection::text)
        .containsExactly("lacks x=1");

    layout.putMachine(Layouts.described("a", "x=1"));
    assertThat(machine("a").runs("log.service")).isTrue();
    assertThat(machine("a").applicableGlobals()).extracting(Demand::unit).containsExactly(LOG);

    layout.place(WEB, Layouts.asking("web.service", "Conflicts=log.*"), "a");
    assertThat(machine("a").globals().others().values())
        .extracting(Rejection::text)
        .containsExactly("conflicts with web.service");

    layout.remove(WEB);
    assertThat(machine("a").load()).isEqualTo(1);

    layout.removeGlobal(LOG);
    assertThat(machine("a").load()).isZero();
    assertThat(machine("a").globals()).isEqualTo(GlobalUnits.NONE);
  }

  @Test
  void aForkAndItsOriginalChangeApart() {
    layout.putMachine(Layouts.described("a"));
    layout.putGlobal(LOG, Requirements.NONE);
    layout.place(WEB, Requirements.NONE, "a");
    layout.refuse("a", UnitName.of("x.service"), "taken");
    layout.place(UnitName.of("lost.service"), Requirements.NONE, "lost");

    ClusterLayout fork = layout.fork();
    assertThat(fork.placement(UnitName.of("lost.service"))).contains("lost");
    assertThat(fork.machine("a").orElseThrow().refusal(UnitName.of("x.service"))).contains("taken");
    fork.remove(WEB);
    fork.removeGlobal(LOG);
    fork.putMachine(Layouts.described("b"));
    layout.leave(WEB);

    assertThat(fork.machine("a").orElseThrow().load()).isZero();
    assertThat(fork.machine("a").orElseThrow().isLeaving(WEB)).isFalse();
    assertThat(machine("a").holds(WEB)).isTrue();
    assertThat(machine("a").load()).isEqualTo(1);
    assertThat(layout.machines()).hasSize(1);
  }
}

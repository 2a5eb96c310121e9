package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PictureTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName LOG = UnitName.of("log.service");

  private final Picture picture = new Picture();

  private MachineInfo machine(String id) {
    return picture.machine(id).orElseThrow();
  }

  @Test
  void machinesAreSortedByTheirIds() {
    for (String id : List.of("c", "a", "b")) {
      picture.putMachine(Pictures.described(id));
    }

    assertThat(picture.machines()).extracting(MachineInfo::id).containsExactly("a", "b", "c");
  }

  @Test
  void aUnitIsInOnePlaceOnly() {
    picture.putMachine(Pictures.described("a"));
    picture.putMachine(Pictures.described("b"));

    picture.place(WEB, Requirements.NONE, "a");
    picture.place(WEB, Requirements.NONE, "b");

    assertThat(picture.placement(WEB)).contains("b");
    assertThat(machine("a").holds(WEB)).isFalse();
    assertThat(machine("a").load()).isZero();
    assertThat(machine("b").load()).isEqualTo(1);
  }

  @Test
  void placingALeavingUnitAgainMakesItStay() {
    picture.putMachine(Pictures.described("a"));
    picture.place(WEB, Requirements.NONE, "a");

    picture.leave(WEB);
    assertThat(machine("a").isLeaving(WEB)).isTrue();
    assertThat(machine("a").runs("web.service")).isFalse();
    picture.place(WEB, Requirements.NONE, "a");

    assertThat(machine("a").isLeaving(WEB)).isFalse();
    assertThat(machine("a").runs("web.service")).isTrue();
  }

  @Test
  void placementsOutliveTheirMachineAndPrecedeIt() {
    picture.place(WEB, Requirements.NONE, "a");
    assertThat(picture.machine("a")).isEmpty();
    assertThat(picture.placement(WEB)).contains("a");

    picture.putMachine(Pictures.described("a"));
    assertThat(machine("a").units()).extracting(Demand::unit).containsExactly(WEB);

    picture.removeMachine("a");
    assertThat(picture.machines()).isEmpty();
    assertThat(picture.placement(WEB)).contains("a");

    picture.remove(WEB);
    picture.putMachine(Pictures.described("a"));
    assertThat(picture.placement(WEB)).isEmpty();
    assertThat(machine("a").units()).isEmpty();
  }

  @Test
  void globalUnitsFollowEveryChange() {
    picture.putMachine(Pictures.described("a"));
    assertThat(machine("a").runs("log.service")).isFalse();

    picture.putGlobal(LOG, Pictures.asking("log.service", "MachineMetadata=x=1"));
    assertThat(machine("a").globals().others().values())
        .extracting(Rejection::text)
        .containsExactly("lacks x=1");

    picture.putMachine(Pictures.described("a", "x=1"));
    assertThat(machine("a").runs("log.service")).isTrue();
    assertThat(machine("a").applicableGlobals()).extracting(Demand::unit).containsExactly(LOG);

    picture.place(WEB, Pictures.asking("web.service", "Conflicts=log.*"), "a");
    assertThat(machine("a").globals().others().values())
        .extracting(Rejection::text)
        .containsExactly("conflicts with web.service");

    picture.remove(WEB);
    assertThat(machine("a").load()).isEqualTo(1);

    picture.removeGlobal(LOG);
    assertThat(machine("a").load()).isZero();
    assertThat(machine("a").globals()).isEqualTo(GlobalUnits.NONE);
  }

  @Test
  void aForkAndItsOriginalChangeApart() {
    picture.putMachine(Pictures.described("a"));
    picture.putGlobal(LOG, Requirements.NONE);
    picture.place(WEB, Requirements.NONE, "a");
    picture.refuse("a", UnitName.of("x.service"), "taken");
    picture.place(UnitName.of("lost.service"), Requirements.NONE, "lost");

    Picture fork = picture.fork();
    assertThat(fork.placement(UnitName.of("lost.service"))).contains("lost");
    assertThat(fork.machine("a").orElseThrow().refusal(UnitName.of("x.service"))).contains("taken");
    fork.remove(WEB);
    fork.removeGlobal(LOG);
    fork.putMachine(Pictures.described("b"));
    picture.leave(WEB);

    assertThat(fork.machine("a").orElseThrow().load()).isZero();
    assertThat(fork.machine("a").orElseThrow().isLeaving(WEB)).isFalse();
    assertThat(machine("a").holds(WEB)).isTrue();
    assertThat(machine("a").load()).isEqualTo(1);
    assertThat(picture.machines()).hasSize(1);
  }
}

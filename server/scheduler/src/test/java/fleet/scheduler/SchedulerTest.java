package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import fleet.core.unit.UnitName;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SchedulerTest {

  private final Scheduler scheduler = new Scheduler();

  private Decision choose(Layouts layouts, String unit, String... lines) {
    return scheduler.choose(
        new Demand(UnitName.of(unit), Layouts.asking(unit, lines)), layouts.layout());
  }

  private String objection(Layouts layouts, String unit) {
    return scheduler.objection(UnitName.of(unit), layouts.layout()).orElse("");
  }

  @Test
  void theLeastLoadedMachineIsChosen() {
    Layouts layouts =
        new Layouts()
            .machine("a")
            .unit("a", "a1.service")
            .unit("a", "a2.service")
            .machine("b")
            .unit("b", "b1.service")
            .machine("c")
            .unit("c", "c1.service")
            .unit("c", "c2.service");

    assertThat(choose(layouts, "web.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns("b", Decision.Placed::machine)
        .returns("least loaded of the machines that fit: 1 unit on it", Decision.Placed::text);
  }

  @Test
  void ofEquallyLoadedMachinesTheFirstByIdIsChosen() {
    Layouts layouts = new Layouts().machine("c").machine("a").machine("b");

    assertThat(choose(layouts, "web.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns("a", Decision.Placed::machine);
  }

  @Test
  void applicableGlobalUnitsAreLoadAndLeavingUnitsAreNot() {
    Layouts layouts =
        new Layouts()
            .global("log.service", "MachineMetadata=log=yes")
            .machine("a", "log=yes")
            .machine("b")
            .unit("b", "b1.service")
            .leaving("b1.service");

    assertThat(choose(layouts, "web.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns("b", Decision.Placed::machine)
        .returns("least loaded of the machines that fit: no unit on it", Decision.Placed::text);
  }

  @Test
  void withoutMachinesTheTextSaysSo() {
    assertThat(choose(new Layouts().unit("lost", "a.service"), "web.service").text())
        .isEqualTo("no machine is there");
  }

  @Test
  void whatIsInTheWayIsGroupedByRule() {
    Layouts layouts =
        new Layouts()
            .machine("a")
            .machine("b", "region=us")
            .machine("c", "region=eu")
            .unit("c", "web@1.service")
            .machine("d", "region=eu")
            .unit("d", "web@1a.service")
            .machine("e", "region=eu")
            .unit("e", "web@3.service");

    Decision decision =
        choose(layouts, "web@9.service", "MachineMetadata=region=eu", "Conflicts=web@*");

    assertThat(decision.text())
        .isEqualTo(
            "2 of 5 machines lack region=eu,"
                + " 3 conflict with web@1.service, web@1a.service or web@3.service");
    Decision.Unplaceable unplaceable = (Decision.Unplaceable) decision;
    assertThat(unplaceable.machines()).isEqualTo(5);
    assertThat(unplaceable.obstacles())
        .extracting(Obstacle::rule)
        .containsExactly("MachineMetadata", "Conflicts");
    assertThat(unplaceable.obstacles().getLast().verdicts())
        .containsOnlyKeys("c", "d", "e")
        .containsEntry(
            "e", new Rejection("Conflicts", "conflicts with", "conflict with", "web@3.service"));
  }

  @Test
  void fewMachinesAndManySubjectsReadWell() {
    Layouts one = new Layouts().machine("a");
    assertThat(choose(one, "web.service", "MachineID=b").text())
        .isEqualTo("the only machine is not b");

    Layouts two = one.machine("b", "region=eu").unit("b", "web@1.service");
    assertThat(choose(two, "web.service", "MachineOf=db.service").text())
        .isEqualTo("all 2 machines are without db.service");
    assertThat(choose(two, "x.service", "MachineMetadata=region=eu", "Conflicts=web@*").text())
        .isEqualTo("1 of 2 machines lacks region=eu, 1 conflicts with web@1.service");
  }

  @Test
  void afterThreeSubjectsTheRestIsCounted() {
    Layouts layouts = new Layouts();
    for (int i = 1; i <= 5; i++) {
      layouts.machine("m" + i).unit("m" + i, "web@" + i + ".service");
    }

    assertThat(choose(layouts, "x.service", "Conflicts=web@*").text())
        .isEqualTo(
            "all 5 machines conflict with web@1.service, web@2.service, web@3.service or 2 more");
  }

  @Test
  void aRefusedNameGoesToAnotherMachineOrIsExplained() {
    Layouts layouts = new Layouts().machine("a");
    UnitName web = UnitName.of("web.service");
    layouts.layout().refuse("a", web, "systemd knows web.service from /etc/systemd/system");

    assertThat(choose(layouts, "web.service").text())
        .isEqualTo(
            "the only machine refuses the name:"
                + " systemd knows web.service from /etc/systemd/system");
    assertThat(choose(layouts.machine("b"), "web.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns("b", Decision.Placed::machine);
  }

  @Test
  void theReplacedUnitMovesAndTheOtherStays() {
    Layouts layouts =
        new Layouts().machine("a").unit("a", "old.service").unit("a", "other.service");

    Decision decision = choose(layouts, "new.service", "Replaces=old.*");
    assertThat(decision)
        .asInstanceOf(type(Decision.Placed.class))
        .returns(Set.of(UnitName.of("old.service")), Decision.Placed::displaced);

    layouts.unit("a", "new.service", "Replaces=old.*");
    assertThat(objection(layouts, "old.service"))
        .isEqualTo("machine a has its replacement new.service");
    assertThat(objection(layouts, "new.service")).isEmpty();
    assertThat(objection(layouts, "other.service")).isEmpty();
    assertThat(choose(layouts.leaving("old.service"), "old.service").text())
        .isEqualTo("the only machine has its replacement new.service");
    assertThat(choose(layouts.machine("b"), "old.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns("b", Decision.Placed::machine)
        .returns(Set.of(), Decision.Placed::displaced);
  }

  @Test
  void unitsThatReplaceEachOtherLiveTogether() {
    Layouts layouts = new Layouts().machine("a").unit("a", "x.service", "Replaces=y.service");

    assertThat(choose(layouts, "y.service", "Replaces=x.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns(Set.of(), Decision.Placed::displaced);
    layouts.unit("a", "y.service", "Replaces=x.service");
    assertThat(objection(layouts, "x.service")).isEmpty();
    assertThat(objection(layouts, "y.service")).isEmpty();
  }

  @Test
  void aPlacedUnitMayStayWhileItsMachineMeetsItsRequirements() {
    Layouts layouts =
        new Layouts()
            .machine("a", "region=eu")
            .unit("a", "web.service", "MachineMetadata=region=eu", "MachineOf=db.service")
            .unit("a", "db.service");
    assertThat(objection(layouts, "web.service")).isEmpty();
    assertThat(objection(layouts, "unplaced.service")).isEmpty();

    assertThat(objection(layouts.machine("a", "region=us"), "web.service"))
        .isEqualTo("machine a lacks region=eu");
    assertThat(objection(layouts.machine("a", "region=eu").leaving("db.service"), "web.service"))
        .isEqualTo("machine a is without db.service");
    layouts.layout().removeMachine("a");
    assertThat(objection(layouts, "web.service")).isEqualTo("machine a went away");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.service", "b.service"})
  void ofTwoConflictingUnitsOneMayStayOnceTheOtherIsLeaving(String stays) {
    Layouts layouts =
        new Layouts()
            .machine("m")
            .unit("m", "a.service")
            .unit("m", "b.service", "Conflicts=a.service");
    assertThat(objection(layouts, stays)).startsWith("machine m conflicts with ");

    layouts.leaving(stays.equals("a.service") ? "b.service" : "a.service");

    assertThat(objection(layouts, stays)).isEmpty();
  }

  @Test
  void aGlobalUnitThatComesLaterMovesNothing() {
    Layouts layouts =
        new Layouts()
            .machine("a")
            .unit("a", "web.service", "Conflicts=log.service")
            .global("log.service");

    assertThat(objection(layouts, "web.service")).isEmpty();
    assertThat(choose(layouts.machine("b"), "api.service", "Conflicts=log.service"))
        .asInstanceOf(type(Decision.Placed.class))
        .returns("a", Decision.Placed::machine);
  }
}

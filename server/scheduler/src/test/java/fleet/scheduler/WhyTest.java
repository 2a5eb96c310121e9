package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.unit.UnitName;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations of a choice, for people. */
final class WhyTest {

  private final Layouts layouts = new Layouts();

  private Why why(String unit, String... lines) {
    return new Scheduler()
        .why(new Demand(UnitName.of(unit), Layouts.asking(unit, lines)), layouts.layout());
  }

  private WhyTest machine(String id, long gibibytes, Map<String, String> metadata) {
    Resources total = new Resources(4000, gibibytes << 30, 0);
    layouts
        .layout()
        .putMachine(
            new Machine(id, "boot", "", metadata, "2.0.0").withResources(total, Resources.UNKNOWN));
    return this;
  }

  @Test
  void theNearestMissIsTheMachineWithTheFewestRulesInTheWayAndTheLeastRoomMissing() {
    machine("a", 8, Map.of("region", "us"));
    machine("b", 2, Map.of("region", "eu"));
    machine("c", 3, Map.of("region", "eu"));
    layouts.unit("a", "web@1.service");

    Why why = why("web@2.service", "MachineMetadata=region=eu", "Conflicts=web@*", "Memory=4G");

    assertThat(why.contenders()).isEmpty();
    assertThat(why.obstaclesInWords())
        .isEqualTo("1 of 3 machines lacks region=eu, 2 have no room for 4G of memory");
    assertThat(why.nearest().orElseThrow().machine()).isEqualTo("c");
    assertThat(why.nearest().orElseThrow().change())
        .isEqualTo("machine c has 1G of memory more room, or the unit asks for that much less");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MachineID=x               | a machine of the id x comes
          MachineMetadata=zone=b    | machine m gets zone=b
          MachineOf=db.service      | db.service comes to machine m
          Conflicts=old.*           | old.service leaves machine m
          Affinity=zone==b          | machine m gets metadata with zone==b
          Affinity=unit==db.service | machine m is without unit==db.service no more
          Ports=80                  | the unit on machine m that has the port leaves: 80 taken by old.service
          Cores=10                  | machine m has 6 cores more room, or the unit asks for that much less
          Strategy=best             | Strategy= names one of bid, binpack, least-loaded, random, spread
          """)
  void theSmallestChangeIsNamed(String line, String change) {
    machine("m", 4, Map.of("zone", "a"));
    layouts.unit("m", "old.service", "Ports=80");

    assertThat(why("web.service", line).nearest().orElseThrow().change()).isEqualTo(change);
  }

  @Test
  void whatIsOnAMachineIsNearerThanWhatItIs() {
    machine("a", 4, Map.of("zone", "x"));
    machine("b", 4, Map.of("zone", "y"));
    layouts.layout().cordon("b", true);

    assertThat(why("web.service", "MachineMetadata=zone=y").nearest().orElseThrow().change())
        .isEqualTo("machine b is uncordoned");
  }

  @Test
  void aCordonedMachineWouldHaveToBeUncordoned() {
    machine("m", 4, Map.of());
    layouts.layout().cordon("m", true);

    assertThat(why("web.service").nearest().orElseThrow().change())
        .isEqualTo("machine m is uncordoned");
  }

  @Test
  void theNextTwoSayWhatTheChosenOneDoesBetter() {
    machine("a", 4, Map.of("zone", "x"));
    machine("b", 4, Map.of("zone", "y"));
    machine("c", 4, Map.of("zone", "y"));
    machine("d", 4, Map.of("zone", "y"));
    layouts.unit("b", "b.service");

    assertThat(why("web.service", "Affinity=zone==~y").contenders())
        .containsExactly(
            new Why.Contender("c", "least loaded of the machines that fit: no unit on it"),
            new Why.Contender("d", "is as good, and comes after c by its id"),
            new Why.Contender("b", "has 1 unit, and c no unit"));
    layouts.unit("c", "c.service").unit("d", "d1.service").unit("d", "d2.service");
    layouts.unit("b", "web@1.service");
    assertThat(why("web@2.service", "Spread=zone").contenders())
        .extracting(Why.Contender::machine, Why.Contender::reason)
        .first()
        .hasToString(
            "(\"a\", \"least loaded of the machines that fit: no unit on it, spread over zone\")");
    assertThat(why("web@2.service", "Spread=zone").contenders().get(1).reason())
        .isEqualTo("has 1 of web@.service at zone=y, and not 0");
  }

  @Test
  void aUnitThatIsPlacedIsJudgedAsIfItWereNowhereAndStaysWhereItIs() {
    machine("a", 4, Map.of());
    machine("b", 4, Map.of());
    layouts.unit("b", "web.service", "Memory=3G");
    ClusterLayout layout = layouts.layout();

    assertThat(why("web.service", "Memory=3G").contenders())
        .containsExactly(
            new Why.Contender("a", "least loaded of the machines that fit: no unit on it"),
            new Why.Contender("b", "is as good, and comes after a by its id"));
    assertThat(layout.placement(UnitName.of("web.service"))).contains("b");
    assertThat(layout.machine("b").orElseThrow().reserved().memory()).isEqualTo(3L << 30);

    layout.leave(UnitName.of("web.service"));
    assertThat(why("web.service", "Memory=3G").contenders()).hasSize(2);
    assertThat(layout.machine("b").orElseThrow().isLeaving(UnitName.of("web.service"))).isTrue();
  }

  @Test
  void theMachineThatAUnitIsOnIsComparedHoweverManyAreBetter() {
    for (String id : new String[] {"a", "b", "c", "d", "e"}) {
      machine(id, 4, Map.of());
    }
    layouts.unit("e", "web.service").unit("e", "db.service");

    assertThat(why("web.service").contenders())
        .extracting(Why.Contender::machine)
        .containsExactly("a", "b", "c", "e");
    assertThat(why("web.service").contenders().getLast().reason())
        .isEqualTo("has 1 unit, and a no unit");
  }

  @Test
  void aGlobalUnitSaysWhereItRunsAndWhyNotElsewhere() {
    machine("a", 4, Map.of("zone", "x"));
    machine("b", 4, Map.of("zone", "y"));
    machine("c", 1, Map.of("zone", "x"));
    layouts.global("log.service", "MachineMetadata=zone=x", "Memory=2G");

    Why why = Scheduler.whyGlobal(UnitName.of("log.service"), layouts.layout());

    assertThat(why.contenders()).containsExactly(new Why.Contender("a", "fits, with 1 unit"));
    assertThat(why.obstacles())
        .extracting(obstacle -> obstacle.inWords(why.machines()))
        .containsExactly(
            "1 of 3 machines lacks zone=x", "1 of 3 machines has no room for 2G of memory");
  }

  @Test
  void whatWasGivenUpIsSaid() {
    machine("a", 4, Map.of("zone", "x"));

    assertThat(
            why("web.service", "Affinity=5:zone==~y", "Affinity=zone==~x")
                .contenders()
                .getFirst()
                .reason())
        .isEqualTo("least loaded of the machines that fit: no unit on it, though not zone==y");
  }
}

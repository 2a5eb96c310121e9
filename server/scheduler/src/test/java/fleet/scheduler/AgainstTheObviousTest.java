package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.offer.Bid;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scheduler picks a machine that an obvious one calls equally best: for random clusters, units
 * and histories, with every rule there is.
 */
final class AgainstTheObviousTest {

  private static final List<String> LINES =
      List.of(
          "MachineMetadata=region=eu",
          "MachineMetadata=\"region=us\" \"region=eu\" \"disk=ssd\"",
          "Conflicts=web@*.service",
          "Conflicts=*[13].service",
          "MachineOf=web@2.service",
          "MachineOf=log@1.service",
          "Replaces=web@[45].service",
          "MachineID=m2",
          "Memory=512M",
          "Memory=1500M",
          "Memory=30%",
          "Cores=0.5",
          "Cores=2",
          "Disk=20G",
          "Memory=1G\nCores=1",
          "Affinity=region==eu",
          "Affinity=region!=eu",
          "Affinity=rack>1",
          "Affinity=rack<3",
          "Affinity=rack in 1,3,x*",
          "Affinity=disk==/s{2}/",
          "Affinity=unit==web@1.service",
          "Affinity=unit==db@*",
          "Affinity=unit!=db@*",
          "Affinity=unit in web@3.service,db@3.service",
          "Affinity=unit!=/[02]/",
          "Affinity=region==~us",
          "Affinity=5:rack==~2",
          "Affinity=9:unit!=~web@*",
          "Affinity=3:unit==~db@*",
          "Affinity=7:disk in~ ssd,nvme",
          "Spread=region",
          "Spread=rack",
          "Spread=region rack",
          "MaxPerMachine=1",
          "MaxPerMachine=2",
          "Ports=80",
          "Ports=10.0.0.1:80 443",
          "Strategy=spread",
          "Strategy=binpack",
          "Strategy=random");

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 200);
  }

  static LongStream fewSeeds() {
    return LongStream.rangeClosed(1, 40);
  }

  /** The history of a cluster, lived twice. */
  private static final class History {

    private final SplittableRandom random;
    private final ClusterLayout layout = new ClusterLayout();
    private final ObviousScheduler obvious = new ObviousScheduler();
    private int choices;
    private int objections;

    History(long seed) {
      random = new SplittableRandom(seed);
    }

    private String machine() {
      return "m" + random.nextInt(8);
    }

    private UnitName unit() {
      String prefix = random.nextInt(4) == 0 ? "db@" : "web@";
      return UnitName.of(
          random.nextInt(8) == 0 ? "api.service" : prefix + random.nextInt(12) + ".service");
    }

    private Requirements asked(UnitName unit, int most) {
      List<String> lines = new ArrayList<>();
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        lines.add(LINES.get(random.nextInt(LINES.size())));
      }
      return Layouts.asking(unit.value(), String.join("\n", lines));
    }

    private Machine described(String id) {
      Map<String, String> metadata = new TreeMap<>();
      if (random.nextInt(4) > 0) {
        metadata.put("region", random.nextBoolean() ? "eu" : "us");
      }
      if (random.nextInt(4) > 0) {
        metadata.put("rack", random.nextInt(5) == 0 ? "x1" : "" + random.nextInt(4));
      }
      metadata.put("disk", random.nextBoolean() ? "ssd" : "hdd");
      Resources total =
          switch (random.nextInt(4)) {
            case 0 -> Resources.UNKNOWN;
            case 1 -> new Resources(2000, (4L << 30) - random.nextInt(1 << 20), 100L << 30);
            case 2 -> new Resources(4000, 8L << 30, 100L << 30);
            default -> new Resources(16_000, 64L << 30, 100L << 30);
          };
      Resources kept =
          total.equals(Resources.UNKNOWN) ? total : new Resources(random.nextInt(500), 1L << 28, 0);
      return new Machine(id, "boot", "", metadata, "2.0.0").withResources(total, kept);
    }

    /** The same happens to both. */
    private void something(Scheduler scheduler) {
      UnitName unit = unit();
      switch (random.nextInt(14)) {
        case 0, 1 -> {
          Machine machine = described(machine());
          layout.putMachine(machine);
          obvious.putMachine(machine);
        }
        case 2 -> {
          String machine = machine();
          layout.removeMachine(machine);
          obvious.removeMachine(machine);
        }
        case 3 -> {
          layout.remove(unit);
          obvious.remove(unit);
        }
        case 4 -> {
          layout.leave(unit);
          obvious.leave(unit);
        }
        case 5 -> {
          UnitName global = UnitName.of("log@" + random.nextInt(3) + ".service");
          Requirements asked =
              Layouts.asking(global.value(), LINES.get(random.nextInt(LINES.size())));
          if (random.nextBoolean()) {
            layout.putGlobal(global, asked);
            obvious.putGlobal(global, asked);
          } else {
            layout.removeGlobal(global);
            obvious.removeGlobal(global);
          }
        }
        case 6 -> {
          String machine = machine();
          layout.refuse(machine, unit, "taken");
          obvious.refuse(machine, unit);
        }
        case 7 -> {
          String machine = machine();
          boolean cordoned = random.nextBoolean();
          layout.cordon(machine, cordoned);
          obvious.cordon(machine, cordoned);
        }
        case 8, 9 -> {
          String machine = machine();
          Requirements asked = asked(unit, 2);
          layout.place(unit, asked, machine);
          obvious.place(unit, asked, machine);
        }
        default -> {
          answers(unit);
          choose(scheduler, unit, asked(unit, 3));
        }
      }
    }

    /** All at once, which remembers what it has found, and one by one, which looks. */
    private void objections(Scheduler scheduler) {
      Scheduler other = new Scheduler();
      Map<UnitName, String> found = new TreeMap<>();
      for (MachineInfo machine : layout.views()) {
        for (Demand demand : machine.units()) {
          other.objection(demand.unit(), layout).ifPresent(why -> found.put(demand.unit(), why));
        }
      }
      assertThat(scheduler.objections(layout)).isEqualTo(found);
      found.forEach((unit, why) -> assertThat(scheduler.objection(unit, layout)).contains(why));
      objections += found.size();
    }

    /** A unit is on its way elsewhere for a moment, and comes back. */
    private void moves(Scheduler scheduler) {
      UnitName unit = unit();
      Requirements asked = asked(unit, 2);
      layout
          .placement(unit)
          .ifPresent(from -> {
            layout.move(unit, asked, machine());
            objections(scheduler);
            layout.place(unit, asked, from);
            obvious.place(unit, asked, from);
          });
    }

    private void answers(UnitName unit) {
      if (random.nextInt(4) == 0) {
        layout.forgetBids(unit);
        obvious.forgetBids(unit);
      }
      for (int i = 0; i < 6; i++) {
        String machine = machine();
        if (random.nextInt(4) == 0) {
          layout.bid(machine, new Bid.Declined(unit, "1", "it has enough to do"));
          obvious.decline(machine, unit);
        } else {
          int busy = random.nextInt(3);
          layout.bid(machine, new Bid.Made(unit, "1", busy, "measured"));
          obvious.bid(machine, unit, busy);
        }
      }
    }

    private void choose(Scheduler scheduler, UnitName unit, Requirements asked) {
      String strategy = asked.strategy().orElse(scheduler.strategy().name());
      List<String> best = obvious.best(unit, asked, strategy);
      String what = unit + " " + asked;
      switch (scheduler.choose(new Demand(unit, asked), layout)) {
        case Decision.Placed chosen -> {
          assertThat(best).as(what).contains(chosen.machine());
          if (!strategy.equals("random")) {
            assertThat(chosen.machine()).as(what).isEqualTo(best.getFirst());
          }
          choices++;
          layout.place(unit, asked, chosen.machine());
          obvious.place(unit, asked, chosen.machine());
        }
        case Decision.Unplaceable unplaceable -> {
          assertThat(best).as(what).isEmpty();
          assertThat(unplaceable.obstacles())
              .as(what)
              .flatExtracting(obstacle -> obstacle.verdicts().keySet())
              .containsExactlyInAnyOrderElementsOf(
                  layout.machines().stream().map(MachineInfo::id).toList());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theChosenMachineIsTheFirstOfTheEquallyBest(long seed) {
    var history = new History(seed);
    List<String> strategies = List.copyOf(new Scheduler().strategies());
    Scheduler scheduler =
        new Scheduler(seed)
            .withStrategy(strategies.get((int) (seed % strategies.size())))
            .orElseThrow();
    for (int i = 0; i < 400; i++) {
      history.something(scheduler);
    }
    assertThat(history.choices).isGreaterThan(20);
  }

  @ParameterizedTest
  @MethodSource("fewSeeds")
  void whoMayNotStayIsFoundWhateverWasFoundBefore(long seed) {
    var history = new History(seed);
    var scheduler = new Scheduler(seed);
    for (int i = 0; i < 400; i++) {
      history.something(scheduler);
      history.objections(scheduler);
      history.moves(scheduler);
    }
    assertThat(history.objections).isGreaterThan(100);
  }
}

package fleet.simulation;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.Intent;
import fleet.cluster.NewRollout;
import fleet.cluster.RolloutChange;
import fleet.cluster.UnitPut;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** What people and misfortune do to a world, as the seed has it. */
final class Chaos {

  private static final Caller SOMEBODY = new Caller("somebody");
  private static final int NAMES = 8;
  private static final int CONTENTS = 4;
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_FAULT = Duration.ofSeconds(30);
  private static final Duration MIDDLE = Duration.ofMillis(400);
  private static final Duration SLOW = Duration.ofMillis(150);

  private final World world;
  private final Simulation simulation;
  private final Random random;
  private final List<Act> acts = new ArrayList<>();
  private boolean over;

  private record Act(int weight, Runnable work) {}

  Chaos(World world) {
    this.world = world;
    this.simulation = world.simulation();
    this.random = simulation.random();
    act(40, () -> any().fleetd().ifPresent(this::command));
    act(4, () -> any().killFleetd());
    act(2, () -> any().restartFleetd());
    act(3, () -> freeze(any()));
    act(2, () -> leader().ifPresent(this::freeze));
    act(4, () -> leader().ifPresent(this::freezeInTheMiddle));
    act(2, () -> powerOff(any()));
    act(3, () -> cut(any()));
    act(1, () -> leader().ifPresent(this::cut));
    act(1, this::storm);
    act(1, () -> any().fleetd().ifPresent(this::resume));
    act(2, () -> any().fleetd().ifPresent(asked -> drain(asked, any().id())));
    act(2, () -> any().fleetd().ifPresent(this::rollOut));
    act(2, () -> any().fleetd().ifPresent(this::rebalance));
    act(1, () -> any().fleetd().ifPresent(this::stopRebalance));
    act(1, this::storeAway);
    act(1, () -> slow(any()));
    act(1, () -> world.store().compact());
    act(1, this::removeForeign);
    if (world.speaks()) {
      act(4, () -> world.leader().ifPresent(leader -> part(any(), leader)));
      act(1, () -> part(any(), any()));
    }
  }

  private void act(int weight, Runnable work) {
    acts.add(new Act(weight, work));
  }

  /** Begins; ends with {@link #end}. */
  void begin() {
    simulation.after(
        simulation.upTo(PAUSE),
        () -> {
          if (!over) {
            choose().work().run();
            begin();
          }
        });
  }

  void end() {
    over = true;
    world.calm();
  }

  private Act choose() {
    int left = random.nextInt(acts.stream().mapToInt(Act::weight).sum());
    for (Act act : acts) {
      left -= act.weight();
      if (left < 0) {
        return act;
      }
    }
    throw new AssertionError();
  }

  private SimulatedMachine any() {
    return world.machines().get(random.nextInt(world.machines().size()));
  }

  private Optional<SimulatedMachine> leader() {
    return world.leader();
  }

  /** Something that ends again, unless the world has been calmed by then. */
  private void forAWhile(Runnable end) {
    simulation.after(
        simulation.upTo(LONGEST_FAULT),
        () -> {
          if (!over) {
            end.run();
          }
        });
  }

  private void freeze(SimulatedMachine machine) {
    machine.freeze();
    forAWhile(machine::thaw);
  }

  /** While it does what somebody has just asked for, such as writing where a unit goes. */
  private void freezeInTheMiddle(SimulatedMachine machine) {
    slow(machine);
    machine.fleetd().ifPresent(this::command);
    simulation.after(
        simulation.upTo(MIDDLE),
        () -> {
          if (!over) {
            freeze(machine);
          }
        });
  }

  private void cut(SimulatedMachine machine) {
    machine.cut();
    forAWhile(machine::heal);
  }

  /** Both reach the store, and not each other. */
  private void part(SimulatedMachine one, SimulatedMachine other) {
    if (!one.equals(other)) {
      world.cut(one, other);
      forAWhile(() -> world.heal(one, other));
    }
  }

  /** So many machines are cut off at once that the leader had better wait. */
  private void storm() {
    List<SimulatedMachine> machines = new ArrayList<>(world.machines());
    Collections.shuffle(machines, random);
    List<SimulatedMachine> gone = machines.subList(0, machines.size() / 2 + 1);
    gone.forEach(SimulatedMachine::cut);
    forAWhile(() -> gone.forEach(SimulatedMachine::heal));
  }

  private void powerOff(SimulatedMachine machine) {
    if (machine.isOn()) {
      machine.powerOff();
      forAWhile(() -> {
        if (!machine.isOn()) {
          machine.powerOn();
        }
      });
    }
  }

  private void slow(SimulatedMachine machine) {
    simulation.happens("the way from %s is slow".formatted(machine.id()));
    machine.link().latency(SLOW);
    forAWhile(() -> machine.link().latency(Link.USUAL));
  }

  private void storeAway() {
    world.storeAway();
    forAWhile(world::storeBack);
  }

  private void removeForeign() {
    SimulatedMachine machine = any();
    machine
        .systemd()
        .ifPresent(systemd -> {
          simulation.happens("%s: a1.service of somebody else goes".formatted(machine.id()));
          systemd.removeForeign(UnitName.of("a1.service"));
        });
  }

  // ---- people

  private void command(Fleetd asked) {
    UnitName unit = unit();
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> put(asked, unit, Optional.of(file(unit)), DesiredState.LAUNCHED);
      case 3 -> put(asked, unit, Optional.of(file(unit)), DesiredState.LOADED);
      case 4 -> put(asked, unit, Optional.empty(), DesiredState.INACTIVE);
      case 5 -> put(asked, unit, Optional.empty(), DesiredState.LAUNCHED);
      case 6 -> ask(asked, "destroy " + unit, cluster -> cluster.destroy(unit, SOMEBODY));
      default -> ask(asked, "restart " + unit, cluster -> cluster.restart(unit, SOMEBODY));
    }
  }

  private void put(Fleetd asked, UnitName unit, Optional<UnitFile> file, DesiredState desired) {
    List<String> require = desired == DesiredState.LAUNCHED ? require(unit) : List.of();
    String what =
        "%s %s%s%s"
            .formatted(
                desired.text(),
                unit,
                file.map(f -> " " + f.hash()).orElse(""),
                require.isEmpty() ? "" : " " + require);
    var put = new UnitPut(unit, file, Optional.of(desired), require);
    ask(asked, what, cluster -> cluster.put(List.of(put), SOMEBODY));
  }

  /** What is asked of machines beside the file, now and then. */
  private List<String> require(UnitName unit) {
    return !World.isGlobal(unit) && random.nextInt(6) == 0
        ? List.of("MachineMetadata=region=us")
        : List.of();
  }

  private void ask(Fleetd asked, String what, Consumer<Cluster> request) {
    simulation.happens("somebody asks %s: %s".formatted(asked.process().name(), what));
    asked.request(what, request);
  }

  private void resume(Fleetd asked) {
    ask(asked, "resume", cluster -> cluster.resume(SOMEBODY));
  }

  private void drain(Fleetd asked, String machine) {
    int most = 1 + random.nextInt(2);
    ask(asked, "drain " + machine, cluster -> cluster.drain(machine, most, SOMEBODY));
    forAWhile(() ->
        any()
            .fleetd()
            .ifPresent(other ->
                ask(
                    other,
                    "uncordon " + machine,
                    cluster -> cluster.cordon(machine, false, SOMEBODY))));
  }

  private void rollOut(Fleetd asked) {
    UnitName unit = unit();
    Duration healthy = simulation.upTo(PAUSE);
    UnitFile file = file(unit);
    ask(
        asked,
        "roll out " + unit + " " + file.hash(),
        cluster -> cluster.rollOut(new NewRollout(unit, file, 1, healthy), SOMEBODY));
    if (random.nextInt(3) == 0) {
      ask(
          asked,
          "undo " + unit,
          cluster -> cluster.changeRollout(unit, RolloutChange.BACK, SOMEBODY));
    }
  }

  private void rebalance(Fleetd asked) {
    var wish =
        new Intent.Rebalance(1 + random.nextInt(2), 1 + random.nextInt(4), 1 + random.nextInt(2));
    ask(asked, wish.toString(), cluster -> cluster.startRebalance(wish, SOMEBODY));
  }

  private void stopRebalance(Fleetd asked) {
    ask(asked, "stop a rebalance", cluster -> cluster.stopRebalance(SOMEBODY));
  }

  private UnitName unit() {
    int number = random.nextInt(NAMES);
    return UnitName.of(
        switch (random.nextInt(8)) {
          case 0 -> "global" + number % 2 + ".service";
          case 1 -> "once" + number + ".service";
          default -> "a" + number + ".service";
        });
  }

  private UnitFile file(UnitName unit) {
    String type = unit.value().startsWith("once") ? "oneshot" : "simple";
    String fleet = "";
    if (World.isGlobal(unit)) {
      fleet = "[X-Fleet]\nGlobal=true\n";
    } else if (unit.value().startsWith("a6") || unit.value().startsWith("a7")) {
      fleet = "[X-Fleet]\nMachineMetadata=region=us\n";
    } else if (unit.value().startsWith("a4") || unit.value().startsWith("a5")) {
      fleet = "[X-Fleet]\nStrategy=bid\n";
    }
    int content = random.nextInt(CONTENTS);
    String text =
        "[Service]\nType=%s\nExecStart=/bin/work %d\nMemoryMax=%dG\n%s"
            .formatted(type, content, World.isGlobal(unit) ? 0 : content, fleet);
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}

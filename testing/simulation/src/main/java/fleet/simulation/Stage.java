package fleet.simulation;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.core.unit.UnitName;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.StoreConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Where acts are played: does to a world what they say. */
final class Stage {

  private static final Caller SOMEBODY = new Caller("somebody");
  private static final Duration SLOW = Duration.ofMillis(150);

  private final World world;
  private boolean over;

  /** The machine that an act is about, or the one whose engine leads by then. */
  record Who(int index) {
    static final Who LEADER = new Who(-1);

    @Override
    public String toString() {
      return index < 0 ? "the leader" : "m" + (index + 1);
    }
  }

  Stage(World world) {
    this.world = world;
  }

  Simulation simulation() {
    return world.simulation();
  }

  void play(Story.Act act) {
    if (!over) {
      simulation().happens("# " + act.text());
      act.play().on(this);
    }
  }

  /** Nothing is played any more, and all faults end. */
  void end() {
    over = true;
    world.calm();
  }

  private void with(Who who, Consumer<SimulatedMachine> work) {
    find(who).ifPresent(work);
  }

  private Optional<SimulatedMachine> find(Who who) {
    return who.equals(Who.LEADER) ? world.leader() : Optional.of(world.machines().get(who.index()));
  }

  /** Unless the world has been calmed by then. */
  private void later(Duration time, Runnable work) {
    simulation()
        .after(
            time,
            () -> {
              if (!over) {
                work.run();
              }
            });
  }

  // ---- misfortune

  void kill(Who who) {
    with(who, SimulatedMachine::killFleetd);
  }

  void restart(Who who) {
    with(who, SimulatedMachine::restartFleetd);
  }

  void freeze(Who who, Duration time) {
    with(
        who,
        machine -> {
          machine.freeze();
          later(time, machine::thaw);
        });
  }

  void cut(Who who, Duration time) {
    with(
        who,
        machine -> {
          machine.cut();
          later(time, machine::heal);
        });
  }

  /** Both reach the store, and not each other. */
  void part(Who one, Who other, Duration time) {
    with(
        one,
        first ->
            with(
                other,
                second -> {
                  if (!first.equals(second)) {
                    world.cut(first, second);
                    later(time, () -> world.heal(first, second));
                  }
                }));
  }

  void powerOff(Who who, Duration time) {
    with(
        who,
        machine -> {
          if (machine.isOn()) {
            machine.powerOff();
            later(
                time,
                () -> {
                  if (!machine.isOn()) {
                    machine.powerOn();
                  }
                });
          }
        });
  }

  void slow(Who who, Duration time) {
    with(
        who,
        machine -> {
          machine.link().latency(SLOW);
          later(time, () -> machine.link().latency(StoreConnection.USUAL));
        });
  }

  void storeAway(Duration time) {
    world.storeAway();
    later(time, world::storeBack);
  }

  void storeFull(Duration time) {
    world.storeFull();
    later(time, world::storeEmptied);
  }

  void compact() {
    world.store().compact();
  }

  void loseSystemd(Who who, Duration time) {
    with(who, machine -> machine.loseSystemd(time));
  }

  void failDisk(Who who, Duration time) {
    with(
        who,
        machine -> {
          machine.diskFails();
          later(time, machine::diskWorks);
        });
  }

  void setClock(Who who, Duration ahead) {
    with(who, machine -> machine.setClock(ahead));
  }

  void leave(Who who) {
    with(who, SimulatedMachine::leave);
  }

  void removeForeign(Who who, UnitName unit) {
    with(who, machine -> machine.systemd().ifPresent(systemd -> systemd.removeForeign(unit)));
  }

  // ---- people

  /** Somebody asks, and takes the answer at its word. */
  void command(Who asked, ClientRequest command) {
    with(
        asked,
        machine ->
            machine
                .fleetd()
                .ifPresent(fleetd -> {
                  Caller caller = world.ledger().asks(command, fleetd.process().name());
                  fleetd.request(
                      command.text(),
                      cluster -> command.ask(cluster, caller),
                      answer -> world.ledger().answered(caller, answer));
                }));
  }

  /** Somebody asks for what is not judged by its answer. */
  void ask(Who asked, String what, Function<Cluster, Object> request) {
    with(
        asked,
        machine -> machine.fleetd().ifPresent(fleetd -> fleetd.request(what, request, _ -> {})));
  }

  void drain(Who asked, String machine, int most, Duration time, Who undoing) {
    ask(asked, "drain " + machine, cluster -> cluster.drain(machine, most, SOMEBODY));
    later(
        time,
        () ->
            ask(
                undoing,
                "uncordon " + machine,
                cluster -> cluster.cordon(machine, false, SOMEBODY)));
  }

  static Caller somebody() {
    return SOMEBODY;
  }

  /** So many machines are cut off at once that the leader has to wait. */
  void storm(List<Who> machines, Duration time) {
    machines.forEach(machine -> cut(machine, time));
  }
}

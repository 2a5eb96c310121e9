package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.StartResult;
import fleet.core.collection.OrderedCopy;
import fleet.core.schedule.TargetState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.records.Keys;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts a unit once more if its last start has ended; one that runs is left alone. */
final class EndedUnitStarts {

  private final Registry registry;
  private final StateProvider provider;
  private final UnitCommands commands;
  private final WriteVisibility writes;

  EndedUnitStarts(
      Registry registry, StateProvider provider, UnitCommands commands, WriteVisibility writes) {
    this.registry = registry;
    this.provider = provider;
    this.commands = commands;
    this.writes = writes;
  }

  StartResult start(ReadConsistency consistency, UnitName name, Caller caller) {
    LastStart last = lastStart(consistency, name);
    while (last.runs()) {
      // The caller may know of its end from another fleetd, which has a newer state.
      Set<String> keys = last.keys(name);
      Map<String, Entry> stored = OptimisticUpdates.available(() -> registry.get(keys));
      if (!stored.containsKey(Keys.unit(name))) {
        return StartResult.UNKNOWN;
      }
      writes.await(stored.values());
      LastStart known = last;
      last = lastStart(consistency, name);
      if (last.equals(known)) {
        return StartResult.RUNNING;
      }
    }
    return writes.seen(commands.startUnlessRequestedSince(name, last.counter(), caller));
  }

  private LastStart lastStart(ReadConsistency consistency, UnitName name) {
    return provider
        .queryOnceKnown(consistency, state -> LastStart.of(name, state))
        .orElseThrow(() -> LastStart.unknown(name));
  }

  /**
   * The last requested start of a unit.
   *
   * @param counter of that start; 0 if there is none
   * @param runs whether it has run since, or is about to
   * @param machines that report it, or may
   */
  private record LastStart(long counter, boolean runs, Set<String> machines) {

    LastStart {
      machines = OrderedCopy.of(machines);
    }

    /**
     * Empty if the unit's machine has yet to say whether it runs, as after a change of leader; one
     * that is given up, and keeps its units, will not.
     */
    static Optional<LastStart> of(UnitName name, LiveState state) {
      ClusterState cluster = state.cluster();
      Map<String, UnitState> states = cluster.reports().states(name);
      Optional<KnownUnit> unit = cluster.units().of(name);
      long counter = unit.map(known -> known.unit().restartCounter()).orElse(0L);
      boolean toRun = unit.filter(known -> known.target() == TargetState.LAUNCHED).isPresent();
      Optional<String> placed = cluster.schedule().of(name).map(ScheduledUnit::machine);
      Set<String> machines = new TreeSet<>(states.keySet());
      placed.ifPresent(machines::add);
      if (states.isEmpty()) {
        boolean willSay = placed.filter(on -> !state.missing().isGivenUp(on)).isPresent();
        return willSay && toRun
            ? Optional.empty()
            : Optional.of(new LastStart(counter, toRun, machines));
      }
      long asked = toRun ? counter : 0;
      boolean runs = states.values().stream().anyMatch(reported -> reported.runs(asked));
      return Optional.of(new LastStart(counter, runs, machines));
    }

    /** The exception if it is not known yet. */
    static ClusterUnavailableException unknown(UnitName name) {
      return new ClusterUnavailableException(
          "the engine that leads now has not heard yet from the machine of %s whether it runs: try again; fleetctl restart does not ask"
              .formatted(name));
    }

    /**
     * The unit itself in the store, which also says that it has ended on a machine that has left
     * since, where it is placed, and what its machines report of it.
     */
    Set<String> keys(UnitName unit) {
      return Stream.concat(
              machines.stream().map(machine -> Keys.state(machine, unit)),
              Stream.of(Keys.unit(unit), Keys.placement(unit)))
          .collect(Collectors.toSet());
    }
  }
}

package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.StartResult;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.records.Keys;
import java.util.Map;
import java.util.Set;

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
}

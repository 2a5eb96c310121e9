package fleet.engine;

import fleet.cluster.Caller;
import fleet.engine.OptimisticUpdates.Decision;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.ConfigRecord;
import fleet.registry.records.Keys;
import java.util.Optional;

/** Commands that change settings of the whole cluster, written to the registry. */
final class ConfigCommands {

  private final OptimisticUpdates updates;

  ConfigCommands(Registry registry) {
    this.updates = new OptimisticUpdates(registry);
  }

  /** Returns why the value is refused, and then writes nothing. */
  CommandResult<Optional<String>> set(String name, String value, Caller caller) {
    Optional<String> fault = ClusterSettings.fault(name, value);
    if (fault.isPresent()) {
      return new CommandResult<>(fault, 0);
    }
    String record = new ConfigRecord(value, caller.name()).json();
    return updates.update(
        () -> Decision.write(fault, Transaction.when().put(Keys.config(name), record)));
  }
}

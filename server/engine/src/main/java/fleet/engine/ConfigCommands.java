package fleet.engine;

import fleet.cluster.Caller;
import fleet.engine.OptimisticUpdates.Update;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
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
        () -> Update.write(fault, Transaction.when().put(Keys.config(name), record)));
  }

  /** The same for a setting that is to have its default. */
  CommandResult<Optional<String>> unset(String name, Caller caller) {
    Optional<String> usual = ClusterSettings.usual(name);
    if (usual.isEmpty()) {
      return new CommandResult<>(ClusterSettings.fault(name, ""), 0);
    }
    String command =
        new CommandRecord(name, CommandRecord.UNSET, name + "=" + usual.get(), caller.name())
            .json();
    return updates.update(
        Keys.config(name),
        before ->
            before.isEmpty()
                ? Update.unchanged(Optional.empty(), before)
                : Update.write(
                    Optional.empty(),
                    Transaction.when()
                        .unchanged(Keys.config(name), before)
                        .delete(Keys.config(name))
                        .put(Keys.command(name), command)));
  }
}

package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.ConfigRecord;
import fleet.registry.records.Keys;
import java.util.Optional;

/** Commands that change settings of the whole cluster, written to the registry. */
final class ConfigCommands {

  private final Registry registry;

  ConfigCommands(Registry registry) {
    this.registry = registry;
  }

  /** Gives why it cannot be, and writes nothing then. */
  Done<Optional<String>> set(String name, String value, Caller caller) {
    Optional<String> fault = ClusterSettings.fault(name, value);
    if (fault.isPresent()) {
      return new Done<>(fault, 0);
    }
    try {
      String record = new ConfigRecord(value, caller.name()).json();
      long revision =
          registry.commit(Transaction.when().put(Keys.config(name), record).build()).revision();
      return new Done<>(fault, revision);
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }
}

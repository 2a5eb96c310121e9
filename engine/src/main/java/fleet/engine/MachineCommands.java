package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.MetadataChange;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.SettingsRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What people tell fleet about machines, written to the registry. */
public final class MachineCommands {

  private final Registry registry;

  public MachineCommands(Registry registry) {
    this.registry = registry;
  }

  /** Makes all changes or none; returns the revision that has them. */
  long changeMetadata(List<MetadataChange> changes) {
    try {
      while (true) {
        Outcome outcome = registry.commit(transaction(changes));
        if (outcome instanceof Outcome.Committed) {
          return outcome.revision();
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  private Transaction transaction(List<MetadataChange> changes) {
    Map<String, SettingsRecord> settings = new TreeMap<>();
    var transaction = Transaction.when();
    for (MetadataChange change : changes) {
      SettingsRecord before =
          settings.computeIfAbsent(
              change.machine(), machine -> current(Keys.settings(machine), transaction));
      settings.put(
          change.machine(),
          switch (change) {
            case MetadataChange.Set set -> before.withMetadata(set.key(), set.value());
            case MetadataChange.Remove remove -> before.withoutMetadata(remove.key());
          });
    }
    settings.forEach((machine, record) -> transaction.put(Keys.settings(machine), record.json()));
    return transaction.build();
  }

  private SettingsRecord current(String key, Transaction.Builder transaction) {
    Optional<Entry> entry = registry.get(key);
    entry.ifPresentOrElse(transaction::unmodified, () -> transaction.absent(key));
    return entry.map(SettingsRecord::of).orElse(SettingsRecord.NONE);
  }
}

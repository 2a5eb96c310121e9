package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.MetadataChange;
import fleet.core.machine.Drain;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import fleet.registry.records.SettingsRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Commands about machines, written to the registry. */
public final class MachineCommands {

  /** A machine comes to two writes, and the store takes twice as many in one transaction. */
  private static final int MACHINES_TOGETHER = 60;

  private final Registry registry;

  public MachineCommands(Registry registry) {
    this.registry = registry;
  }

  /** Ends a pause of rescheduling: the leader sees that somebody asked for it. */
  Done<Boolean> resume(Caller caller) {
    try {
      while (true) {
        Optional<Entry> entry = registry.get(Keys.PAUSE);
        Optional<PauseRecord> pause = entry.map(PauseRecord::of).filter(PauseRecord::isInForce);
        if (pause.isEmpty()) {
          return new Done<>(false, entry.map(Entry::modified).orElse(0L));
        }
        Outcome outcome =
            registry.commit(
                Transaction.when()
                    .unmodified(entry.orElseThrow())
                    .put(Keys.PAUSE, pause.get().ended(caller.name()).json())
                    .build());
        if (outcome instanceof Outcome.Committed) {
          return new Done<>(true, outcome.revision());
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  /**
   * Makes the changes, those of one machine all at once; returns the revision that has them. If it
   * fails, some machines may have theirs: the same changes once more do no harm.
   */
  long changeMetadata(List<MetadataChange> changes, Caller caller) {
    long revision = 0;
    for (List<MetadataChange> together : groups(changes)) {
      revision = Math.max(revision, changeTogether(together, caller));
    }
    return revision;
  }

  /** Machine by machine, in the order in which they are named; each as its changes are ordered. */
  private static List<List<MetadataChange>> groups(List<MetadataChange> changes) {
    Map<String, List<MetadataChange>> byMachine = new LinkedHashMap<>();
    for (MetadataChange change : changes) {
      byMachine.computeIfAbsent(change.machine(), _ -> new ArrayList<>()).add(change);
    }
    List<List<MetadataChange>> groups = new ArrayList<>();
    int machines = 0;
    for (List<MetadataChange> ofMachine : byMachine.values()) {
      if (machines++ % MACHINES_TOGETHER == 0) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().addAll(ofMachine);
    }
    return groups;
  }

  private long changeTogether(List<MetadataChange> changes, Caller caller) {
    try {
      while (true) {
        Outcome outcome = registry.commit(transaction(changes, caller));
        if (outcome instanceof Outcome.Committed) {
          return outcome.revision();
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  /** Writes nothing where it is so already. */
  Done<Boolean> cordon(String machine, boolean cordoned, Caller caller) {
    String command = cordoned ? CommandRecord.CORDON : CommandRecord.UNCORDON;
    return set(
        machine,
        before -> before.cordoned() == cordoned,
        before -> before.withCordoned(cordoned),
        new CommandRecord(machine, command, "", caller.name()));
  }

  /** Cordons as well. Writes nothing where it is so already, whoever asked for it. */
  Done<Boolean> drain(String machine, int maxUnavailable, Caller caller) {
    return set(
        machine,
        before ->
            before.drain().filter(drain -> drain.maxUnavailable() == maxUnavailable).isPresent(),
        before -> before.withDrain(new Drain(maxUnavailable, caller.name())),
        new CommandRecord(
            machine, CommandRecord.DRAIN, "max-unavailable " + maxUnavailable, caller.name()));
  }

  private Done<Boolean> set(
      String machine,
      Predicate<SettingsRecord> already,
      UnaryOperator<SettingsRecord> change,
      CommandRecord command) {
    String key = Keys.settings(machine);
    try {
      while (true) {
        var transaction = Transaction.when();
        SettingsRecord before = current(key, transaction);
        if (already.test(before)) {
          return new Done<>(false, 0);
        }
        Outcome outcome =
            registry.commit(
                transaction
                    .put(key, change.apply(before).json())
                    .put(Keys.command(machine), command.json())
                    .build());
        if (outcome instanceof Outcome.Committed) {
          return new Done<>(true, outcome.revision());
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  private Transaction transaction(List<MetadataChange> changes, Caller caller) {
    Map<String, SettingsRecord> settings = new TreeMap<>();
    Map<String, String> words = new TreeMap<>();
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
      words.merge(change.machine(), word(change), (one, next) -> one + ", " + next);
    }
    settings.forEach((machine, record) -> transaction.put(Keys.settings(machine), record.json()));
    Map<String, CommandRecord> told = new TreeMap<>();
    words.forEach((machine, details) ->
        told.put(
            Keys.command(machine),
            new CommandRecord(machine, CommandRecord.METADATA, details, caller.name())));
    told.forEach((key, record) -> transaction.put(key, record.json()));
    return transaction.build();
  }

  private static String word(MetadataChange change) {
    return switch (change) {
      case MetadataChange.Set set -> set.key() + "=" + set.value();
      case MetadataChange.Remove remove -> remove.key() + " removed";
    };
  }

  private SettingsRecord current(String key, Transaction.Builder transaction) {
    Optional<Entry> entry = registry.get(key);
    entry.ifPresentOrElse(transaction::unmodified, () -> transaction.absent(key));
    return entry.map(SettingsRecord::of).orElse(SettingsRecord.NONE);
  }
}

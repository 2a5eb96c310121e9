package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.MetadataChange;
import fleet.core.machine.Drain;
import fleet.core.machine.Maintenance;
import fleet.core.operation.OperationId;
import fleet.engine.OptimisticUpdates.Update;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.DepartureRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import fleet.registry.records.SettingsRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Commands about machines, written to the registry. */
public final class MachineCommands {

  /** A machine comes to two writes, and the store takes twice as many in one transaction. */
  private static final int MACHINES_TOGETHER = 60;

  private final Registry registry;
  private final OptimisticUpdates updates;
  private final Clock clock;

  public MachineCommands(Registry registry, Clock clock) {
    this.registry = registry;
    this.updates = new OptimisticUpdates(registry);
    this.clock = clock;
  }

  /** Ends a pause of rescheduling: the leader sees that somebody asked for it. */
  CommandResult<Boolean> resume(Caller caller) {
    return updates.update(
        Keys.PAUSE,
        entry ->
            entry
                .map(PauseRecord::of)
                .filter(PauseRecord::isInForce)
                .map(pause ->
                    Update.write(
                        true,
                        Transaction.when()
                            .unchanged(Keys.PAUSE, entry)
                            .put(Keys.PAUSE, pause.ended(caller.name()).json())))
                .orElseGet(() -> Update.unchanged(false, entry)));
  }

  /**
   * A machine is named by no list any more.
   *
   * @param maybePresent whether it may be there, and go afterwards
   * @return false if none named it
   */
  CommandResult<Boolean> forget(String machine, boolean maybePresent) {
    String key = Keys.departed(machine);
    return updates.update(
        key,
        entry -> {
          Optional<DepartureRecord> record = entry.map(DepartureRecord::of);
          if (record.isPresent() ? record.get().removed() : !maybePresent) {
            return Update.unchanged(false, entry);
          }
          DepartureRecord removed =
              record
                  .orElseGet(() -> DepartureRecord.unknown(machine, false, clock.instant()))
                  .asRemoved();
          return Update.write(
              record.isPresent(),
              Transaction.when().unchanged(key, entry).put(key, removed.json()));
        });
  }

  /**
   * Makes the changes, those of one machine all at once; returns the revision that has them. If it
   * fails, some machines may have theirs: the same changes once more do no harm.
   */
  long changeMetadata(List<MetadataChange> changes, Caller caller) {
    long revision = 0;
    for (List<MetadataChange> together : groups(changes)) {
      CommandResult<Boolean> done =
          updates.update(() -> Update.write(true, transaction(together, caller)));
      revision = Math.max(revision, done.revision());
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

  /** Writes nothing if the machine is in that state already. */
  CommandResult<Boolean> cordon(String machine, boolean cordoned, Caller caller) {
    String command = cordoned ? CommandRecord.CORDON : CommandRecord.UNCORDON;
    return set(
        machine,
        before -> before.cordoned() == cordoned,
        before -> before.withCordoned(cordoned),
        _ -> new CommandRecord(machine, command, "", caller.name()));
  }

  /** Cordons as well. Writes nothing if the machine is in that state already, for anybody. */
  CommandResult<Boolean> drain(String machine, int maxUnavailable, Caller caller) {
    return set(
        machine,
        before ->
            before
                .drain()
                .filter(drain -> drain.maxUnavailable() == maxUnavailable && !drain.paused())
                .isPresent(),
        before ->
            before.withDrain(
                new Drain(
                    maxUnavailable,
                    caller.name(),
                    before.drain().map(Drain::started).orElseGet(clock::instant))),
        before ->
            CommandRecord.of(
                OperationId.drain(machine),
                (before.drain().isEmpty() ? "began" : "continues")
                    + ": at most "
                    + maxUnavailable
                    + " down at a time",
                caller.name()));
  }

  /**
   * Begins a maintenance window, or moves the end of the one that there is.
   *
   * @param hostname of the machine, if it is there
   */
  CommandResult<Maintenance> maintain(
      String machine, Duration time, Optional<String> hostname, Caller caller) {
    String key = Keys.settings(machine);
    // Machines hear of it in seconds.
    Instant until = clock.instant().plus(time).truncatedTo(ChronoUnit.SECONDS);
    var command =
        new CommandRecord(machine, CommandRecord.MAINTENANCE, "until " + until, caller.name());
    return updates.update(() -> {
      var transaction = Transaction.when();
      SettingsRecord before = current(key, transaction);
      String host = hostname.or(() -> before.maintenance().map(Maintenance::hostname)).orElse("");
      var window = new Maintenance(until, caller.name(), host);
      return Update.write(
          window,
          transaction
              .put(key, before.withMaintenance(Optional.of(window)).json())
              .put(Keys.command(machine), command.json()));
    });
  }

  /** Writes nothing if the machine is in no maintenance. */
  CommandResult<Boolean> endMaintenance(String machine, Caller caller) {
    return set(
        machine,
        before -> before.maintenance().isEmpty(),
        before -> before.withMaintenance(Optional.empty()),
        _ -> new CommandRecord(machine, CommandRecord.END_MAINTENANCE, "", caller.name()));
  }

  private CommandResult<Boolean> set(
      String machine,
      Predicate<SettingsRecord> already,
      UnaryOperator<SettingsRecord> change,
      Function<SettingsRecord, CommandRecord> told) {
    String key = Keys.settings(machine);
    return updates.update(() -> {
      var transaction = Transaction.when();
      SettingsRecord before = current(key, transaction);
      CommandRecord command = told.apply(before);
      return already.test(before)
          ? Update.unchanged(false)
          : Update.write(
              true,
              transaction
                  .put(key, change.apply(before).json())
                  .put(Keys.command(command.subject()), command.json()));
    });
  }

  private Transaction.Builder transaction(List<MetadataChange> changes, Caller caller) {
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
      words.merge(change.machine(), change.text(), (one, next) -> one + ", " + next);
    }
    settings.forEach((machine, record) -> transaction.put(Keys.settings(machine), record.json()));
    Map<String, CommandRecord> told = new TreeMap<>();
    words.forEach((machine, details) ->
        told.put(
            Keys.command(machine),
            new CommandRecord(machine, CommandRecord.METADATA, details, caller.name())));
    told.forEach((key, record) -> transaction.put(key, record.json()));
    return transaction;
  }

  private SettingsRecord current(String key, Transaction.Builder transaction) {
    Optional<Entry> entry = registry.get(key);
    transaction.unchanged(key, entry);
    return entry.map(SettingsRecord::of).orElse(SettingsRecord.NONE);
  }
}

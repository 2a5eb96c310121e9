package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.NewOperation;
import fleet.cluster.NewRestart;
import fleet.cluster.NewRollout;
import fleet.cluster.OperationChanged;
import fleet.cluster.RebalanceStart;
import fleet.cluster.RestartResult;
import fleet.cluster.RolloutResult;
import fleet.core.machine.Drain;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.operation.OperationId.Kind;
import fleet.core.requirements.Requirements;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.OptimisticUpdates.Update;
import fleet.engine.state.ClusterState;
import fleet.engine.state.IncarnationSeal;
import fleet.engine.state.KnownUnit;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.GlobalRollout;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.Keys;
import fleet.registry.records.OperationRecord;
import fleet.registry.records.RebalanceRecord;
import fleet.registry.records.RestartRecord;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.SettingsRecord;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Begins operations and changes their course, in the registry. */
final class OperationCommands {

  /** All moves are in one value, and the store takes at most one and a half megabytes. */
  private static final int MOST_UNITS = 2_000;

  private final Registry registry;
  private final OptimisticUpdates updates;
  private final Clock clock;
  private final Supplier<Incarnation> incarnations;

  OperationCommands(Registry registry, Clock clock, Supplier<Incarnation> incarnations) {
    this.registry = registry;
    this.updates = new OptimisticUpdates(registry);
    this.clock = clock;
    this.incarnations = incarnations;
  }

  /** Asks the present state. */
  interface Present {
    <T> T ask(Function<LiveState, T> question);
  }

  /** Begins an operation. The type of a request says what answers it. */
  @SuppressWarnings("unchecked")
  <R> CommandResult<R> begin(NewOperation<R> wanted, Present present, Caller caller) {
    return (CommandResult<R>)
        switch (wanted) {
          case Intent.Rebalance rebalance ->
              startRebalance(rebalance, () -> present.ask(RebalancePlanner::of), caller);
          case NewRestart restart ->
              startRestart(restart, present.ask(Existing.of(restart.name())), caller);
          case NewRollout rollout ->
              startRollout(rollout, present.ask(Existing.of(rollout.name())), caller);
        };
  }

  // ---- rebalances

  /**
   * Begins a rebalance, unless there is nothing to move or another has not ended.
   *
   * @param planners finds the moves, from the present state
   */
  private CommandResult<RebalanceStart> startRebalance(
      Intent.Rebalance wish, Supplier<RebalancePlanner> planners, Caller caller) {
    return updates.update(
        Keys.operation(OperationId.REBALANCE), before -> begin(before, wish, planners, caller));
  }

  private Update<RebalanceStart> begin(
      Optional<Entry> before,
      Intent.Rebalance wish,
      Supplier<RebalancePlanner> planners,
      Caller caller) {
    Optional<Operation> other = before.flatMap(OperationCommands::underWay);
    if (other.isPresent()) {
      return nothing(RebalanceStart.Kind.UNDER_WAY, underWay(other.get()));
    }
    RebalancePlanner planner = planners.get();
    Optional<String> refusal = planner.refusal();
    if (refusal.isPresent()) {
      return nothing(RebalanceStart.Kind.REFUSED, refusal.get());
    }
    RebalancePlanner.Proposal proposal = planner.propose(wish);
    if (proposal.result().steps().isEmpty()) {
      String now = "machines have " + proposal.result().after().text();
      String rest = proposal.rest().isEmpty() ? "" : "; " + proposal.rest();
      return nothing(RebalanceStart.Kind.NOTHING, now + rest);
    }
    var record =
        new RebalanceRecord(
            new Operation(
                OperationId.REBALANCE,
                caller.name(),
                clock.instant(),
                proposal.rest(),
                wish.maxUnavailable()),
            wish.within(),
            proposal.result().moves());
    return Update.write(
        new RebalanceStart(RebalanceStart.Kind.BEGUN, proposal.rest()),
        began(
            Transaction.when(),
            before,
            record,
            counted(record.moves().size(), "move") + ", within " + wish.within()));
  }

  private static Update<RebalanceStart> nothing(RebalanceStart.Kind kind, String text) {
    return Update.unchanged(new RebalanceStart(kind, text));
  }

  private static Optional<Operation> underWay(Entry entry) {
    return Optional.of(RebalanceRecord.of(entry).operation())
        .filter(known -> !known.stage().isOver());
  }

  private static String underWay(Operation other) {
    return other.goesOn()
        ? ("a rebalance that %s asked for is under way: follow it with \"fleetctl rebalance\", or"
                + " end it with \"fleetctl rebalance --stop\"")
            .formatted(other.by())
        : other.reason() + ", and units of it are on their way: ask again once they have come";
  }

  // ---- rollouts

  /**
   * The existing units of the template, or the single unit.
   *
   * @param units that are there, the template among them
   * @param global the single unit, if it is global
   */
  private record Existing(Set<UnitName> units, Optional<KnownUnit> global) {
    static Function<LiveState, Existing> of(UnitName name) {
      return state -> of(name, state.cluster());
    }

    private static Existing of(UnitName name, ClusterState cluster) {
      Set<UnitName> names = new HashSet<>(cluster.units().instances(name));
      names.add(name);
      List<KnownUnit> units =
          names.stream().flatMap(one -> cluster.units().of(one).stream()).toList();
      return new Existing(
          units.stream().map(known -> known.unit().name()).collect(Collectors.toSet()),
          units.stream().filter(known -> known.requirements().global()).findFirst());
    }
  }

  /** Begins a rollout; a paused or reverting one gives way to it. */
  private CommandResult<RolloutResult> startRollout(
      NewRollout wanted, Existing existing, Caller caller) {
    if (existing.units().isEmpty()) {
      return new CommandResult<>(RolloutResult.UNKNOWN, 0);
    }
    boolean toBeGlobal = Requirements.of(wanted.name(), wanted.file()).global();
    boolean ofInstances = wanted.name().isTemplate() && toBeGlobal;
    if (existing.global().isPresent() != toBeGlobal || ofInstances) {
      return new CommandResult<>(RolloutResult.GLOBAL, 0);
    }
    if (existing.global().filter(known -> !known.wantsPlace()).isPresent()) {
      return new CommandResult<>(RolloutResult.NOT_WANTED, 0);
    }
    Set<UnitName> units = new HashSet<>(existing.units());
    units.removeAll(wanted.except());
    if (units.size() > MOST_UNITS) {
      return new CommandResult<>(RolloutResult.TOO_MANY, 0);
    }
    return updates.update(
        Keys.operation(OperationId.rollout(wanted.name())),
        stored -> {
          String restartKey = Keys.operation(OperationId.restart(wanted.name()));
          Optional<Entry> restart = registry.get(restartKey);
          Optional<RolloutResult> kept =
              readable(restart, RestartRecord::of)
                  .filter(OperationCommands::isNotOver)
                  .map(_ -> RolloutResult.RESTARTING)
                  .or(() ->
                      readable(stored, RolloutRecord::of).flatMap(other -> kept(other, wanted)));
          if (kept.isPresent()) {
            return Update.unchanged(kept.get());
          }
          Map<UnitName, String> before = before(wanted, units);
          return before.isEmpty()
              ? Update.unchanged(RolloutResult.NOTHING_TO_DO)
              : Update.write(
                  RolloutResult.STARTED,
                  start(wanted, stored, before, existing.global(), caller)
                      .unchanged(restartKey, restart));
        });
  }

  /** A record that cannot be read gives way: no leader acts on it. */
  private static <R extends OperationRecord> Optional<R> readable(
      Optional<Entry> stored, Function<Entry, R> reader) {
    try {
      return stored.map(reader);
    } catch (RegistryException garbage) {
      return Optional.empty();
    }
  }

  /**
   * The unfinished rollout of the same content, which is followed even if it is paused or being
   * reverted. Empty if it gives way.
   */
  private static Optional<RolloutResult> kept(RolloutRecord other, NewRollout wanted) {
    Operation operation = other.operation();
    if (operation.stage().isOver()) {
      return Optional.empty();
    }
    if (other.sha256().equals(wanted.file().sha256())) {
      return Optional.of(RolloutResult.FOLLOWED);
    }
    // Another update would take the former one from all machines that have it, at once.
    return other.global().isPresent() || (operation.stage() == Stage.FORWARD && !operation.paused())
        ? Optional.of(RolloutResult.UNDER_WAY)
        : Optional.empty();
  }

  /** The files of those that do not have the new one. */
  private Map<UnitName, String> before(NewRollout wanted, Set<UnitName> units) {
    Map<String, Entry> entries =
        registry.get(units.stream().map(Keys::unit).collect(Collectors.toSet()));
    Map<UnitName, String> before = new TreeMap<>();
    entries.forEach((key, entry) -> {
      String sha256 = UnitRecord.of(entry).sha256();
      if (!sha256.equals(wanted.file().sha256())) {
        before.put(Keys.unitOf(key), sha256);
      }
    });
    return before;
  }

  private Transaction.Builder start(
      NewRollout wanted,
      Optional<Entry> stored,
      Map<UnitName, String> before,
      Optional<KnownUnit> existing,
      Caller caller) {
    OperationId id = OperationId.rollout(wanted.name());
    var operation = new Operation(id, caller.name(), clock.instant(), "", wanted.maxUnavailable());
    String sha256 = wanted.file().sha256();
    RolloutRecord record =
        new RolloutRecord(
                operation,
                wanted.file().hash(),
                sha256,
                wanted.healthy(),
                before,
                wanted.canaries())
            .withSource(wanted.file().typedSha256());
    // The file first: a reader of the rollout must find it.
    return began(
        ContentWrite.putFile(Transaction.when(), wanted.file()),
        stored,
        existing.map(known -> record.withGlobal(global(known, wanted))).orElse(record),
        "%s, healthy after %d s%s"
            .formatted(
                counted(before.size(), "unit"),
                wanted.healthy().toSeconds(),
                wanted.canaries() == 0 ? "" : ", pausing after the first " + wanted.canaries()));
  }

  private GlobalRollout global(KnownUnit known, NewRollout wanted) {
    IncarnationSeal seal = IncarnationSeal.of(registry.get(Keys.SEAL));
    UnitName name = wanted.name();
    return new GlobalRollout(
        known.unit().incarnation(),
        known.unit().restartCounter(),
        new GlobalUpdate(
            seal.seal(name, incarnations.get()),
            wanted.file().sha256(),
            wanted.file().hash(),
            known.unit().desired() == DesiredState.LAUNCHED ? 1 : 0,
            ""),
        "");
  }

  // ---- restarts in turns

  /** Begins a restart; a paused one gives way to it. */
  private CommandResult<RestartResult> startRestart(
      NewRestart wanted, Existing existing, Caller caller) {
    if (existing.units().isEmpty()) {
      return new CommandResult<>(RestartResult.UNKNOWN, 0);
    }
    return existing.global().isEmpty()
        ? new CommandResult<>(RestartResult.NOT_GLOBAL, 0)
        : updates.update(() -> restart(wanted, caller));
  }

  private Update<RestartResult> restart(NewRestart wanted, Caller caller) {
    String unitKey = Keys.unit(wanted.name());
    String rolloutKey = Keys.operation(OperationId.rollout(wanted.name()));
    String restartKey = Keys.operation(OperationId.restart(wanted.name()));
    Map<String, Entry> stored = registry.get(Set.of(unitKey, rolloutKey, restartKey));
    Optional<Entry> rollout = Optional.ofNullable(stored.get(rolloutKey));
    Optional<Entry> earlier = Optional.ofNullable(stored.get(restartKey));
    Entry entry = stored.get(unitKey);
    if (entry == null) {
      return Update.unchanged(RestartResult.UNKNOWN);
    }
    UnitRecord unit = UnitRecord.of(entry);
    if (unit.desired() != DesiredState.LAUNCHED) {
      return Update.unchanged(RestartResult.NOT_LAUNCHED, Optional.of(entry));
    }
    if (readable(rollout, RolloutRecord::of).filter(OperationCommands::isNotOver).isPresent()) {
      return Update.unchanged(RestartResult.ROLLOUT_UNDER_WAY, rollout);
    }
    if (readable(earlier, RestartRecord::of).filter(one -> goesOn(one, unit)).isPresent()) {
      return Update.unchanged(RestartResult.FOLLOWED, earlier);
    }
    return Update.write(
        RestartResult.STARTED,
        began(
            // No later start may have the same counter: machines pass over one that they have had.
            Transaction.when()
                .unchanged(rolloutKey, rollout)
                .unmodified(entry)
                .put(unitKey, unit.withNextCounterTaken().json()),
            earlier,
            restart(wanted, unit, caller),
            "healthy after %d s".formatted(wanted.healthy().toSeconds())));
  }

  private static boolean isNotOver(OperationRecord record) {
    return !record.operation().stage().isOver();
  }

  private static boolean goesOn(RestartRecord earlier, UnitRecord unit) {
    return isNotOver(earlier)
        && !earlier.operation().paused()
        && earlier.global().base().equals(unit.incarnation())
        && earlier.global().baseCounter() == unit.restartCounter();
  }

  private RestartRecord restart(NewRestart wanted, UnitRecord unit, Caller caller) {
    OperationId id = OperationId.restart(wanted.name());
    return new RestartRecord(
        new Operation(id, caller.name(), clock.instant(), "", wanted.maxUnavailable()),
        wanted.healthy(),
        new GlobalRollout(
            unit.incarnation(),
            unit.restartCounter(),
            new GlobalUpdate(
                unit.incarnation(), unit.sha256(), unit.hash(), unit.nextCounter(), ""),
            ""));
  }

  // ---- all kinds

  private static Transaction.Builder began(
      Transaction.Builder transaction,
      Optional<Entry> before,
      OperationRecord record,
      String details) {
    Operation operation = record.operation();
    String key = Keys.operation(operation.id());
    String told =
        "began: %s, at most %d down at a time".formatted(details, operation.maxUnavailable());
    return transaction
        .unchanged(key, before)
        .put(key, record.json())
        .put(
            Keys.command(operation.id().text()),
            CommandRecord.of(operation.id(), told, operation.by()).json());
  }

  private static String counted(int number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + "s";
  }

  /** The value after a change, and the record of the command; the same value if nothing changes. */
  private record Changed(String value, CommandRecord command) {}

  CommandResult<OperationChanged> change(OperationId id, OperationChange change, Caller caller) {
    if (change.isOfRollouts() && id.kind() != Kind.ROLLOUT) {
      throw new IllegalArgumentException(id + " is no rollout");
    }
    String key = id.kind() == Kind.DRAIN ? Keys.settings(id.subject()) : Keys.operation(id);
    return updates.update(
        key,
        stored ->
            stored
                .flatMap(entry -> after(id, entry, change, caller))
                .map(changed -> update(stored.orElseThrow(), changed))
                .orElseGet(() -> Update.unchanged(OperationChanged.UNKNOWN)));
  }

  private static Update<OperationChanged> update(Entry before, Changed changed) {
    if (changed.value().equals(before.value())) {
      return Update.unchanged(OperationChanged.ALREADY, Optional.of(before));
    }
    return Update.write(
        OperationChanged.CHANGED,
        Transaction.when()
            .unmodified(before)
            .put(before.key(), changed.value())
            .put(Keys.command(changed.command().subject()), changed.command().json()));
  }

  /** Empty if no such operation is under way. */
  private static Optional<Changed> after(
      OperationId id, Entry entry, OperationChange change, Caller caller) {
    return id.kind() == Kind.DRAIN
        ? drainAfter(id.subject(), SettingsRecord.of(entry), change, caller)
        : recordAfter(OperationRecord.of(entry), change, caller);
  }

  private static Optional<Changed> recordAfter(
      OperationRecord record, OperationChange change, Caller caller) {
    Operation before = record.operation();
    return before.stage().isOver()
        ? Optional.empty()
        : Optional.of(
            new Changed(
                record.after(change, caller.name()).json(), command(before.id(), change, caller)));
  }

  private static CommandRecord command(OperationId id, OperationChange change, Caller caller) {
    String what =
        switch (change) {
          case PAUSE -> "is paused";
          case RESUME -> "is resumed";
          case REVERT -> "is being reverted";
          case PROMOTE -> "is promoted";
          case CANCEL -> "is cancelled";
        };
    return CommandRecord.of(id, what, caller.name());
  }

  private static Optional<Changed> drainAfter(
      String machine, SettingsRecord before, OperationChange change, Caller caller) {
    Optional<Drain> drain = before.drain();
    if (drain.isEmpty()) {
      return Optional.empty();
    }
    if (change == OperationChange.CANCEL) {
      var uncordon = new CommandRecord(machine, CommandRecord.UNCORDON, "", caller.name());
      return Optional.of(new Changed(before.withCordoned(false).json(), uncordon));
    }
    Drain now = drain.get().withPaused(change == OperationChange.PAUSE);
    return Optional.of(
        new Changed(
            before.withDrain(now).json(), command(OperationId.drain(machine), change, caller)));
  }
}

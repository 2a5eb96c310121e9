package fleet.engine.state;

import fleet.core.operation.Move;
import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.GlobalOperation;
import fleet.registry.records.GlobalRollout;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.Keys;
import fleet.registry.records.OperationRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The operations of the store, over or not, by id. Owned by the state thread. */
public final class StoredOperations {

  private final StoredFiles files;
  private final NavigableMap<OperationId, Stored> operations = new TreeMap<>();

  /** The moves of operations that are not over, made or not, by unit. */
  private final Map<UnitName, Move> moves = new HashMap<>();

  private String held = "";

  /**
   * An operation as stored.
   *
   * @param entry the entry that holds it, without its value
   */
  public record Stored(OperationRecord record, Entry entry) {

    public OperationId id() {
      return record.operation().id();
    }

    public boolean isOver() {
      return record.operation().stage().isOver();
    }

    /** Whether it goes from machine to machine of a global unit, and is not over. */
    public boolean takesTurns() {
      return !isOver() && global(record).isPresent();
    }
  }

  StoredOperations(StoredFiles files) {
    this.files = files;
  }

  /** An operation that cannot be read does not exist any more. */
  ChangedSubject put(Entry entry) {
    OperationRecord record;
    try {
      record = OperationRecord.of(entry);
    } catch (RegistryException e) {
      var _ = forget(entry.key());
      throw e;
    }
    // Kept before the others are released, since both may have the same files.
    record.files().forEach(files::keep);
    Set<UnitName> concerned = remove(record.operation().id());
    var stored = new Stored(record, new Entry(entry.key(), "", entry.created(), entry.modified()));
    operations.put(stored.id(), stored);
    if (!stored.isOver()) {
      for (Move move : record.moves()) {
        moves.put(move.unit(), move);
        concerned.add(move.unit());
      }
    }
    global(record).ifPresent(_ -> concerned.add(record.operation().id().unit()));
    return new ChangedSubject.OfOperation(stored.id(), concerned);
  }

  private static Optional<GlobalRollout> global(OperationRecord record) {
    return record instanceof GlobalOperation operation
        ? operation.globalRollout()
        : Optional.empty();
  }

  ChangedSubject forget(String key) {
    OperationId id = Keys.operationOf(key);
    return new ChangedSubject.OfOperation(id, remove(id));
  }

  /** Returns the units that it had yet to move. */
  private Set<UnitName> remove(OperationId id) {
    Set<UnitName> concerned = new HashSet<>();
    Stored before = operations.remove(id);
    if (before != null) {
      before.record().files().forEach(files::release);
      global(before.record()).ifPresent(_ -> concerned.add(id.unit()));
      for (Move move : before.record().moves()) {
        if (moves.remove(move.unit(), move)) {
          concerned.add(move.unit());
        }
      }
    }
    return concerned;
  }

  /** From now on no operation takes a step, for this reason; for an empty one, they do. */
  public void hold(String why) {
    held = why;
  }

  /** Why no operation takes a step; empty if they do. */
  public String held() {
    return held;
  }

  /** Sorted by id. */
  public Collection<Stored> all() {
    return Collections.unmodifiableCollection(operations.values());
  }

  public Optional<Stored> of(OperationId id) {
    return Optional.ofNullable(operations.get(id));
  }

  /** The operations that a unit is part of, or was. */
  public List<Stored> about(UnitName unit) {
    if (operations.isEmpty()) {
      return List.of();
    }
    Stream<OperationId> ofUnits =
        Stream.concat(Stream.of(unit), unit.template().stream())
            .flatMap(name -> OperationId.about(name).stream());
    Stream<OperationId> rebalance =
        moves.containsKey(unit) ? Stream.of(OperationId.REBALANCE) : Stream.empty();
    return Stream.concat(ofUnits, rebalance).flatMap(id -> of(id).stream()).toList();
  }

  /**
   * The content or start that some machines have already of a global unit. None if the unit was
   * replaced or started again since its rollout or restart began. A rollout comes first: only an
   * older fleetd begins one beside a restart.
   */
  public Optional<GlobalUpdate> update(KnownUnit known) {
    return OperationId.about(known.unit().name()).stream()
        .flatMap(id -> of(id).stream())
        .filter(stored -> !stored.isOver())
        .flatMap(stored -> global(stored.record()).stream())
        .filter(global -> isOf(global, known))
        .map(GlobalRollout::update)
        .findFirst()
        .filter(update -> !update.upTo().isEmpty());
  }

  /** Whether a rollout or restart is of the present content of its unit and its present start. */
  public static boolean isOf(GlobalRollout global, KnownUnit known) {
    return global.base().equals(known.unit().incarnation())
        && global.baseCounter() == known.unit().restartCounter()
        && known.requirements().global();
  }

  /** The move that a unit has yet to make from its present machine. */
  public Optional<Move> move(ScheduledUnit placed) {
    return Optional.ofNullable(moves.get(placed.entry().unit()))
        .filter(move -> move.from().equals(placed.machine()));
  }
}

package fleet.registry.move;

import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Write;
import fleet.registry.records.Keys;
import fleet.registry.records.MoveRecord;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Moves one registry into another, empty one.
 *
 * <p>A key of the other one marks the move until it is complete: no server may begin with a half.
 * An interrupted move is repeated. The first registry is only read.
 */
public final class RegistryMove {

  /** Far below what etcd takes in one request. */
  private static final int MOST_WRITES = 50;

  private static final int MOST_CHARACTERS = 256 << 10;

  /** Keys that live only as long as their writers; none is moved, and none may be there. */
  private static final List<String> PASSING =
      List.of(Keys.LEADER, Keys.MACHINES, Keys.STATES, Keys.QUESTIONS, Keys.ANSWERS);

  private static final int SHOWN = 3;

  private final Registry from;
  private final Registry to;
  private final String machine;
  private final Clock clock;

  /** The result of a move. */
  public sealed interface Result {

    /** All is there now. */
    record Done(int keys, int units) implements Result {}

    /** It was moved before, and what is there now may be newer. */
    record DoneBefore() implements Result {}

    /** The first registry has no units, and the other one is in use: there is nothing to lose. */
    record Unneeded() implements Result {}
  }

  /**
   * Nothing is done yet.
   *
   * @param from used by nobody else meanwhile
   * @param machine this one's id, for people
   */
  public RegistryMove(Registry from, Registry to, String machine, Clock clock) {
    this.from = from;
    this.to = to;
    this.machine = machine;
    this.clock = clock;
  }

  /**
   * Tells why a registry cannot be used yet: another machine is filling it.
   *
   * @throws RegistryException if the registry does not answer
   */
  public static Optional<MoveRecord> underWay(Registry registry) {
    return registry.get(Keys.MOVED).map(MoveRecord::of).filter(move -> !move.done());
  }

  /**
   * Makes the move, or the rest of it.
   *
   * @throws OccupiedException if the other registry has something else in it already
   * @throws RegistryException if one of them does not answer; then try again
   */
  public Result carryOut() throws OccupiedException {
    while (true) {
      Optional<Entry> begun = to.get(Keys.MOVED);
      if (begun.isPresent()) {
        return carryOn(begun.get());
      }
      List<Entry> there = to.read("").entries();
      if (!there.isEmpty()) {
        expectNothingToLose(from, there);
        return new Result.Unneeded();
      }
      var record =
          new MoveRecord(from.storeId(), machine, clock.instant().truncatedTo(ChronoUnit.SECONDS));
      // If somebody else has begun meanwhile, the next round finds out who.
      Outcome _ =
          to.commit(Transaction.when().absent(Keys.MOVED).put(Keys.MOVED, record.json()).build());
    }
  }

  /**
   * Refuses a target with content that is not from an interrupted move. A registry without units
   * has nothing to lose; then nothing is moved.
   *
   * @param there all that is there; may be empty
   * @throws OccupiedException if it is refused
   */
  public static void expectNothingToLose(Registry from, List<Entry> there)
      throws OccupiedException {
    if (!there.isEmpty() && !from.read(Keys.UNITS).entries().isEmpty()) {
      throw occupied(there);
    }
  }

  private Result carryOn(Entry begun) throws OccupiedException {
    MoveRecord record = MoveRecord.of(begun);
    if (!record.from().equals(from.storeId())) {
      if (record.done() && from.read(Keys.UNITS).entries().isEmpty()) {
        return new Result.Unneeded();
      }
      throw new OccupiedException("what machine " + record.machine() + " has moved there is in it");
    }
    if (record.done()) {
      return new Result.DoneBefore();
    }
    List<Write> missing = missing();
    while (!missing.isEmpty()) {
      write(begun, missing);
      missing = missing();
    }
    commit(begun, List.of(new Write.Put(Keys.MOVED, record.ended().json())));
    List<Entry> moved = lasting(from).toList();
    return new Result.Done(
        moved.size(),
        Math.toIntExact(
            moved.stream().filter(entry -> entry.key().startsWith(Keys.UNITS)).count()));
  }

  /** The writes that make the other registry the same. */
  private List<Write> missing() {
    Map<String, String> there = new LinkedHashMap<>();
    lasting(to).forEach(entry -> there.put(entry.key(), entry.value()));
    List<Write> missing = new ArrayList<>();
    lasting(from)
        .forEach(entry -> {
          if (!entry.value().equals(there.remove(entry.key()))) {
            missing.add(new Write.Put(entry.key(), entry.value()));
          }
        });
    there.keySet().forEach(key -> missing.add(new Write.Delete(key)));
    return missing;
  }

  private static Stream<Entry> lasting(Registry registry) {
    return lasting(registry.read(""));
  }

  /** The entries that outlive their writers, without the mark of a move. */
  public static Stream<Entry> lasting(Snapshot snapshot) {
    return snapshot.entries().stream()
        .filter(entry -> entry.lease() == 0 && !entry.key().equals(Keys.MOVED))
        .filter(entry -> PASSING.stream().noneMatch(entry.key()::startsWith));
  }

  private void write(Entry begun, List<Write> writes) throws OccupiedException {
    List<Write> part = new ArrayList<>();
    int characters = 0;
    for (Write write : writes) {
      part.add(write);
      characters += write instanceof Write.Put put ? put.value().length() : 0;
      if (part.size() >= MOST_WRITES || characters >= MOST_CHARACTERS) {
        commit(begun, part);
        part.clear();
        characters = 0;
      }
    }
    if (!part.isEmpty()) {
      commit(begun, part);
    }
  }

  private void commit(Entry begun, List<Write> writes) throws OccupiedException {
    Transaction.Builder when = Transaction.when().unmodified(begun).absent(Keys.LEADER);
    if (to.commit(new Transaction(when.build().conditions(), writes))
        instanceof Outcome.Refused(long _, Transaction.Condition condition)) {
      throw new OccupiedException(
          condition.key().equals(Keys.LEADER)
              ? "the engine of another fleetd leads in it already"
              : "another fleetd has just put something in it");
    }
  }

  private static OccupiedException occupied(List<Entry> there) {
    String keys =
        String.join(", ", there.stream().limit(SHOWN).map(Entry::key).toList())
            + (there.size() > SHOWN ? ", …" : "");
    return new OccupiedException(
        (there.size() == 1 ? "1 key is" : there.size() + " keys are") + " in it (" + keys + ")");
  }
}

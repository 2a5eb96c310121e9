package fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Delta.Change;
import fleet.registry.Outcome.Committed;
import fleet.registry.Outcome.Refused;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Many committers, readers and watchers at once, checked afterwards against a map to which the
 * committed transactions are applied one by one, in the order of their revisions.
 */
final class ConcurrentModel {

  private static final int COMMITTERS = 8;
  private static final int COMMITS = 150;
  private static final List<String> WATCHED = List.of("", "k/1", "k/", "none");

  private record Told(Transaction transaction, Outcome outcome) {}

  private record Seen(String prefix, Snapshot snapshot) {}

  private final Registry registry;
  private final long seed;
  private final Queue<Told> told = new ConcurrentLinkedQueue<>();
  private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final NavigableMap<Long, Map<String, Entry>> stores = new TreeMap<>();
  private final List<Delta> deltas = new ArrayList<>();

  ConcurrentModel(Registry registry, long seed) {
    this.registry = registry;
    this.seed = seed;
  }

  void run() throws InterruptedException, ExecutionException {
    long start = registry.read("").revision();
    List<Recorder> recorders = WATCHED.stream().map(prefix -> new Recorder()).toList();
    List<Watch> watches = new ArrayList<>();
    for (int i = 0; i < WATCHED.size(); i++) {
      watches.add(registry.watch(WATCHED.get(i), at(start), recorders.get(i)));
    }
    commitFromAllSides();
    replay(start);
    assertOutcomes();
    assertSnapshots();
    assertDeltas(recorders);
    watches.forEach(Watch::close);
    recorders.forEach(Recorder::assertNothingMore);
  }

  private void commitFromAllSides() throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < COMMITTERS; i++) {
        Random random = new Random(seed * 1_000 + i);
        running.add(threads.submit(() -> commitAndRead(random)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  private void commitAndRead(Random random) {
    for (int i = 0; i < COMMITS; i++) {
      Transaction transaction = transaction(random);
      told.add(new Told(transaction, registry.commit(transaction)));
      if (random.nextInt(4) == 0) {
        String prefix = WATCHED.get(random.nextInt(WATCHED.size()));
        seen.add(new Seen(prefix, registry.read(prefix)));
      }
    }
  }

  private Transaction transaction(Random random) {
    Transaction.Builder builder = Transaction.when();
    for (int key = 0; key < 16; key++) {
      String name = "k/" + key;
      switch (random.nextInt(24)) {
        case 0 -> builder.absent(name);
        case 1 -> registry.get(name).ifPresent(builder::unmodified);
        case 2 -> registry.get(name).ifPresent(entry -> builder.createdAt(name, entry.created()));
        case 3, 4, 5 -> builder.put(name, "v" + random.nextInt());
        case 6, 7 -> builder.delete(name);
        default -> {}
      }
    }
    return builder.build();
  }

  /** Applies what was committed, and keeps what the store held at each revision. */
  private void replay(long start) {
    Map<Long, List<Transaction>> byRevision = new TreeMap<>();
    for (Told one : told) {
      if (one.outcome() instanceof Committed(long revision) && revision > start) {
        byRevision.computeIfAbsent(revision, r -> new ArrayList<>()).add(one.transaction());
      }
    }
    stores.put(start, Map.of());
    byRevision.forEach(this::replay);
  }

  /**
   * Commits may share a revision if none writes what another one reads or writes. Others that name
   * it changed nothing, so what they delete is gone after those that changed most.
   */
  private void replay(long revision, List<Transaction> candidates) {
    Map<String, Entry> before = storeBefore(revision);
    Map<String, Entry> after = new TreeMap<>(before);
    List<Change> changes = new ArrayList<>();
    candidates.stream()
        .filter(one -> one.conditions().stream().allMatch(condition -> holds(condition, before)))
        .sorted(
            Comparator.comparingInt(
                (Transaction one) -> -apply(one, revision, new TreeMap<>(before)).size()))
        .forEach(one -> {
          if (Collections.disjoint(keys(changes), writtenBy(one))) {
            changes.addAll(apply(one, revision, after));
          }
        });
    if (!changes.isEmpty()) {
      deltas.add(new Delta(revision, changes));
      stores.put(revision, after);
    }
  }

  private static Set<String> keys(List<Change> changes) {
    return changes.stream().map(Change::key).collect(Collectors.toSet());
  }

  private static Set<String> writtenBy(Transaction transaction) {
    return transaction.writes().stream().map(Write::key).collect(Collectors.toSet());
  }

  private Map<String, Entry> storeBefore(long revision) {
    return Objects.requireNonNull(stores.lowerEntry(revision)).getValue();
  }

  private static List<Change> apply(
      Transaction transaction, long revision, Map<String, Entry> store) {
    List<Change> changes = new ArrayList<>();
    for (Write write : transaction.writes()) {
      Entry old = store.get(write.key());
      switch (write) {
        case Write.Put put -> {
          long created = old == null ? revision : old.created();
          Entry entry = new Entry(put.key(), put.value(), created, revision);
          store.put(put.key(), entry);
          changes.add(new Change.Written(entry));
        }
        case Write.Delete delete -> {
          if (store.remove(delete.key()) != null) {
            changes.add(new Change.Deleted(delete.key()));
          }
        }
      }
    }
    return changes;
  }

  private static boolean holds(Condition condition, Map<String, Entry> store) {
    @Nullable Entry entry = store.get(condition.key());
    return switch (condition) {
      case Condition.Absent absent -> entry == null;
      case Condition.Unmodified it -> entry != null && entry.modified() == it.modified();
      case Condition.CreatedAt it -> entry != null && entry.created() == it.created();
    };
  }

  /** Revisions between two that the model knows are those of commits that changed nothing here. */
  private Map<String, Entry> storeAt(long revision) {
    return Objects.requireNonNull(stores.floorEntry(revision)).getValue();
  }

  private void assertOutcomes() {
    int refusals = 0;
    for (Told one : told) {
      if (one.outcome() instanceof Refused(long revision, Condition condition)) {
        assertThat(holds(condition, storeAt(revision))).as("%s", one).isFalse();
        refusals++;
      }
    }
    assertThat(refusals).isPositive();
    assertThat(deltas).hasSizeGreaterThan(COMMITTERS * COMMITS / 8);
  }

  private void assertSnapshots() {
    for (Seen one : seen) {
      assertThat(one.snapshot().entries())
          .as("%s at %d", one.prefix(), one.snapshot().revision())
          .isEqualTo(below(one.prefix(), storeAt(one.snapshot().revision()).values()));
    }
    Snapshot last = registry.read("");
    assertThat(last.entries()).isEqualTo(List.copyOf(storeAt(last.revision()).values()));
  }

  private static List<Entry> below(String prefix, Collection<Entry> entries) {
    return entries.stream().filter(entry -> entry.key().startsWith(prefix)).toList();
  }

  private void assertDeltas(List<Recorder> recorders) {
    for (int i = 0; i < WATCHED.size(); i++) {
      String prefix = WATCHED.get(i);
      List<Delta> expected =
          deltas.stream()
              .map(delta -> new Delta(delta.revision(), changesBelow(prefix, delta)))
              .filter(delta -> !delta.changes().isEmpty())
              .toList();
      List<Delta> actual =
          expected.isEmpty() ? List.of() : recorders.get(i).until(expected.getLast().revision());
      assertThat(inOrder(actual)).as("watch of '%s'", prefix).isEqualTo(inOrder(expected));
    }
  }

  /** The model does not know which of several commits at one revision came first. */
  private static List<Delta> inOrder(List<Delta> deltas) {
    return deltas.stream()
        .map(delta ->
            new Delta(
                delta.revision(),
                delta.changes().stream().sorted(Comparator.comparing(Change::key)).toList()))
        .toList();
  }

  private static List<Change> changesBelow(String prefix, Delta delta) {
    return delta.changes().stream().filter(change -> change.key().startsWith(prefix)).toList();
  }

  private static Snapshot at(long revision) {
    return new Snapshot(revision, List.of());
  }
}

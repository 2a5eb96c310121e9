package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions about units that depend on each other, in batches of which one is not written. */
class BatchesTest {

  private static final UnitName FIRST = UnitName.of("aaa.service");
  private static final UnitName PEER = UnitName.of("peer.service");
  private static final UnitName OTHER = UnitName.of("other.service");
  private static final int A_BATCH_AND_MORE = 40;

  @TempDir Path directory;
  private LedCluster cluster;
  private final CountDownLatch gathered = new CountDownLatch(1);
  private final AtomicInteger refusals = new AtomicInteger(1);
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void open() {
    cluster = new LedCluster(directory, EngineSettings.of(Duration.ofHours(1)));
  }

  @AfterEach
  void close() {
    gathered.countDown();
    cluster.close();
  }

  private static String text(String fleet) {
    return "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n";
  }

  /**
   * Units launched from here on are decided in one turn, once it is let go.
   *
   * @param meanwhile done before the batch with the peer's place is refused
   * @param wrong a fault of what is to be written, in the light of what is
   */
  private void gather(Runnable meanwhile, Supplier<Optional<String>> wrong, UnitName watched) {
    cluster.store.interfere(transaction -> {
      if (places(transaction, FIRST)) {
        await(gathered);
      }
      if (places(transaction, PEER) && refusals.getAndDecrement() > 0) {
        meanwhile.run();
        return Optional.of(
            new Outcome.Refused(1, new Transaction.Condition.Absent(Keys.placement(PEER))));
      }
      if (concerns(transaction, watched) && !places(transaction, PEER)) {
        wrong.get().ifPresent(faults::add);
      }
      return Optional.empty();
    });
    cluster.launch(FIRST);
  }

  private void fill() {
    IntStream.range(0, A_BATCH_AND_MORE)
        .forEach(i -> cluster.launch(UnitName.of("filler%02d.service".formatted(i))));
  }

  private static boolean places(Transaction transaction, UnitName unit) {
    return transaction.writes().stream()
        .anyMatch(write ->
            write instanceof Transaction.Write.Put && write.key().equals(Keys.placement(unit)));
  }

  private static boolean concerns(Transaction transaction, UnitName unit) {
    return transaction.writes().stream()
        .anyMatch(write ->
            write.key().startsWith(Keys.SCHEDULES) && Keys.unitOf(write.key()).equals(unit));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<String> beforeThePeerHasItsPlace() {
    return cluster.registry.get(Keys.placement(PEER)).isPresent()
        ? Optional.empty()
        : Optional.of("decided upon a place of the peer that is not written");
  }

  private String placeOf(UnitName unit) {
    return PlacementRecord.of(cluster.registry.get(Keys.placement(unit)).orElseThrow()).machine();
  }

  @Test
  void aFollowerIsPlacedOnlyWhereItsPeerIs() throws Exception {
    cluster.stored("m1");
    cluster.stored("m2");
    gather(() -> {}, this::beforeThePeerHasItsPlace, OTHER);
    cluster.launch(PEER);
    fill();
    cluster.launch(OTHER, text("MachineOf=" + PEER));
    gathered.countDown();

    cluster.awaitView(OTHER, view -> view.machine().isPresent());
    assertThat(faults).isEmpty();
    assertThat(placeOf(OTHER)).isEqualTo(placeOf(PEER));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aUnitAndWhatItNamesComeInOneTransactionHoweverManyAreBetweenThem(boolean inOrder)
      throws Exception {
    cluster.stored("m1");
    cluster.stored("m2");
    var together = new ConcurrentLinkedQueue<List<UnitName>>();
    cluster.store.interfere(transaction -> {
      if (places(transaction, FIRST)) {
        await(gathered);
      }
      List<UnitName> placed =
          Stream.of(PEER, OTHER).filter(unit -> places(transaction, unit)).toList();
      if (!placed.isEmpty()) {
        together.add(placed);
      }
      return Optional.empty();
    });
    cluster.launch(FIRST);
    Runnable peer =
        () -> cluster.launch(PEER, "[Unit]\nRequires=" + OTHER + "\n" + text("Memory=1G"));
    Runnable other = () -> cluster.launch(OTHER, text("MachineOf=" + PEER));
    (inOrder ? peer : other).run();
    fill();
    (inOrder ? other : peer).run();
    gathered.countDown();

    cluster.awaitView(OTHER, view -> view.machine().isPresent());
    cluster.awaitView(PEER, view -> view.machine().isPresent());
    assertThat(together).containsExactly(List.of(PEER, OTHER));
    assertThat(placeOf(OTHER)).isEqualTo(placeOf(PEER));
  }

  @Test
  void aUnitIsNotTakenAwayForOneThatHasNotCome() throws Exception {
    StoredMachine m1 = cluster.stored("m1");
    cluster.launch(OTHER);
    m1.running(m1.awaitTarget(OTHER, TargetState.LAUNCHED));
    gather(() -> {}, this::beforeThePeerHasItsPlace, OTHER);
    cluster.launch(PEER, text("Replaces=" + OTHER));
    fill();
    gathered.countDown();

    var _ = m1.awaitTarget(OTHER, TargetState.STOPPING);
    assertThat(faults).isEmpty();
    assertThat(placeOf(PEER)).isEqualTo("m1");
  }

  @Test
  void whoWaitsForAPlaceThatIsNotTakenAfterAllGetsIt() throws Exception {
    cluster.stored("m1");
    Runnable destroyed =
        () -> assertThat(cluster.cluster().destroy(PEER, LedCluster.CALLER)).isTrue();
    gather(destroyed, Optional::empty, OTHER);
    cluster.launch(PEER);
    fill();
    cluster.launch(OTHER, text("Conflicts=" + PEER));
    gathered.countDown();

    assertThat(cluster.awaitView(OTHER, view -> view.machine().isPresent()).machine())
        .contains("m1");
    assertThat(cluster.cluster().states(PEER)).isEqualTo(List.of());
    assertThat(cluster.registry.get(Keys.schedule("m1", OTHER)).map(ScheduleRecord::of))
        .isPresent();
  }
}

package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.PutResult;
import fleet.cluster.UnitPut;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many units in one request: what is written, and how often. */
class UnitPutsTest {

  private static final Caller CALLER = new Caller("test");
  private static final Optional<DesiredState> LAUNCHED = Optional.of(DesiredState.LAUNCHED);

  @TempDir Path directory;
  private final List<Transaction> written = new ArrayList<>();
  private EmbeddedRegistry embedded;
  private ScriptedStore registry;

  /** The act of somebody else just before the first write. */
  private Runnable meanwhile = () -> {};

  @BeforeEach
  void open() {
    embedded = EmbeddedRegistry.open(directory);
    registry = new ScriptedStore(embedded);
    registry.interfere(transaction -> {
      Runnable faster = meanwhile;
      meanwhile = () -> {};
      faster.run();
      written.add(transaction);
      return Optional.empty();
    });
  }

  @AfterEach
  void close() {
    embedded.close();
  }

  @Test
  void theInstancesOfATemplateShareTheWritingOfTheirFile() throws Exception {
    UnitFile file = file("one");
    List<UnitPut> puts =
        IntStream.range(0, 150)
            .mapToObj(i -> new UnitPut(instance(i), Optional.of(file), LAUNCHED))
            .toList();

    CommandResult<List<PutResult>> done = put(puts);

    assertThat(done.result()).hasSize(150).containsOnly(PutResult.CREATED);
    assertThat(written).hasSize(3);
    assertThat(done.revision()).isEqualTo(stored(instance(149)).modified());
    for (UnitPut put : puts) {
      UnitRecord record = UnitRecord.of(stored(put.name()));
      assertThat(record.sha256()).isEqualTo(file.sha256());
      assertThat(record.desired()).isEqualTo(DesiredState.LAUNCHED);
    }
    assertThat(embedded.get(Keys.file(file.sha256()))).isPresent();
  }

  @Test
  void unitsOfDifferentFilesAreWrittenEachByItself() throws Exception {
    List<UnitPut> puts =
        List.of(
            new UnitPut(instance(1), Optional.of(file("one")), LAUNCHED),
            new UnitPut(instance(2), Optional.of(file("two")), Optional.empty()),
            new UnitPut(instance(3), Optional.empty(), LAUNCHED));

    assertThat(put(puts).result())
        .containsExactly(PutResult.CREATED, PutResult.CREATED, PutResult.NO_CONTENT);

    assertThat(written).hasSize(2);
    assertThat(embedded.get(Keys.unit(instance(3)))).isEmpty();
  }

  @Test
  void whereSomebodyWasFasterWithOneTheOthersAreWrittenAllTheSame() throws Exception {
    UnitFile file = file("one");
    UnitFile theirs = file("two");
    meanwhile =
        () -> {
          var other = new UnitPutBatch(embedded, Clock.systemUTC(), UnitPutsTest::any, CALLER);
          other.carryOut(List.of(new UnitPut(instance(1), Optional.of(theirs), Optional.empty())));
        };
    List<UnitPut> puts =
        IntStream.range(0, 3)
            .mapToObj(i -> new UnitPut(instance(i), Optional.of(file), LAUNCHED))
            .toList();

    assertThat(put(puts).result())
        .containsExactly(PutResult.CREATED, PutResult.REPLACED, PutResult.CREATED);

    for (UnitPut put : puts) {
      assertThat(UnitRecord.of(stored(put.name())).sha256()).isEqualTo(file.sha256());
    }
  }

  @Test
  void commandsToUnitsThatKeepTheirFilesAreWrittenEachByItself() throws Exception {
    UnitFile file = file("one");
    List<UnitPut> puts =
        IntStream.range(0, 3)
            .mapToObj(i -> new UnitPut(instance(i), Optional.of(file), Optional.empty()))
            .toList();
    put(puts);
    written.clear();

    CommandResult<List<PutResult>> done =
        put(puts.stream().map(put -> new UnitPut(put.name(), Optional.empty(), LAUNCHED)).toList());

    assertThat(done.result()).containsOnly(PutResult.UPDATED);
    assertThat(written).hasSize(3);
  }

  /** A history is a key more, and the store takes a number of keys in a transaction. */
  @Test
  void theHistoriesOfReplacedUnitsAreWrittenWithThem() throws Exception {
    List<UnitName> units = IntStream.range(0, 100).mapToObj(UnitPutsTest::instance).toList();
    put(puts(units, file("one")));
    assertThat(embedded.read(Keys.HISTORIES).entries()).isEmpty();
    written.clear();

    assertThat(put(puts(units, file("two"))).result()).containsOnly(PutResult.REPLACED);

    assertThat(written).hasSize(4).allMatch(one -> one.writes().size() <= 61);
    assertThat(embedded.read(Keys.HISTORIES).entries()).hasSize(100);
  }

  private static List<UnitPut> puts(List<UnitName> units, UnitFile file) {
    return units.stream().map(unit -> new UnitPut(unit, Optional.of(file), LAUNCHED)).toList();
  }

  private CommandResult<List<PutResult>> put(List<UnitPut> puts) {
    return new UnitPutBatch(registry, Clock.systemUTC(), UnitPutsTest::any, CALLER).carryOut(puts);
  }

  private static Incarnation any() {
    return new Incarnation(UUID.randomUUID().toString());
  }

  private Entry stored(UnitName name) {
    return embedded.get(Keys.unit(name)).orElseThrow();
  }

  private static UnitName instance(int number) {
    return UnitName.of("web@" + number + ".service");
  }

  private static UnitFile file(String text) throws Exception {
    return UnitFile.parse("[Service]\nExecStart=/bin/echo " + text + "\n");
  }
}

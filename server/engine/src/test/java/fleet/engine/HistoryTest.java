package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.DestroyCondition;
import fleet.cluster.DestroyResult;
import fleet.cluster.PutResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitRevision;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last ten contents of a unit are kept. */
class HistoryTest extends LedClusterTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final Caller ALICE = new Caller("user alice");
  private static final Caller BOB = new Caller("user bob");

  private static UnitFile file(int number) {
    try {
      return UnitFile.parse("[Service]\nExecStart=/bin/sleep " + number + "\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private PutResult put(int number, Caller caller) {
    return cluster.put(WEB, Optional.of(file(number)), Optional.of(DesiredState.INACTIVE), caller);
  }

  private List<String> history() {
    return cluster.history(WEB, Set.of()).stream()
        .map(one -> "%d %s %s".formatted(one.number(), one.cause(), one.by()))
        .toList();
  }

  private List<Optional<UnitFile>> files(Long... revisions) {
    return cluster.history(WEB, Set.of(revisions)).stream().map(UnitRevision::file).toList();
  }

  private boolean has(UnitFile file) {
    return registry.get(Keys.file(file.sha256())).isPresent();
  }

  private void write(String key, String value) {
    var _ = registry.commit(Transaction.when().put(key, value).build());
  }

  @Test
  void aFormerContentIsKeptWithWhoGaveItAndByWhatCommand() {
    assertThat(history()).isEmpty();
    put(1, ALICE);
    assertThat(history()).containsExactly("1 submit user alice");
    assertThat(registry.get(Keys.history(WEB))).isEmpty();

    put(2, BOB);

    assertThat(history()).containsExactly("2 submit user bob", "1 submit user alice");
    assertThat(cluster.history(WEB, Set.of()).stream().map(UnitRevision::current))
        .containsExactly(true, false);
    assertThat(files(1L)).containsExactly(Optional.empty(), Optional.of(file(1)));
    assertThat(files(1L, 2L)).containsExactly(Optional.of(file(2)), Optional.of(file(1)));
    assertThat(cluster.put(WEB, Optional.of(file(2)), Optional.empty(), ALICE))
        .isEqualTo(PutResult.NO_DESIRED_STATE);
    assertThat(history()).hasSize(2);
  }

  @Test
  void whoStartsAUnitDidNotGiveItItsContent() {
    put(1, ALICE);
    var _ = cluster.put(WEB, Optional.empty(), Optional.of(DesiredState.LAUNCHED), BOB);
    var _ = cluster.restart(WEB, BOB);
    assertThat(history()).containsExactly("1 submit user alice");
    put(2, BOB);
    assertThat(history()).containsExactly("2 submit user bob", "1 submit user alice");
  }

  @Test
  void theEleventhContentPushesTheFirstOut() throws Exception {
    IntStream.rangeClosed(1, 12).forEach(number -> put(number, ALICE));

    assertThat(history())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(3, 12)
                .mapToObj(number -> (15 - number) + " submit user alice")
                .toList());
    Await.until(() -> !has(file(1)) && !has(file(2)));
    for (int number = 3; number <= 12; number++) {
      assertThat(has(file(number))).as("content " + number).isTrue();
    }
  }

  @Test
  void aTextThatTheUnitHadBeforeIsItsNewestRevision() {
    put(1, ALICE);
    put(2, ALICE);
    put(3, ALICE);
    put(1, BOB);
    assertThat(history())
        .containsExactly("4 submit user bob", "3 submit user alice", "2 submit user alice");
    assertThat(files(4L).getFirst()).contains(file(1));
  }

  @Test
  void theHistoryGoesWithTheUnit() throws Exception {
    put(1, ALICE);
    put(2, ALICE);
    assertThat(has(file(1))).isTrue();

    assertThat(cluster.destroy(WEB, ALICE)).isTrue();

    assertThat(history()).isEmpty();
    assertThat(registry.get(Keys.history(WEB))).isEmpty();
    Await.until(() -> !has(file(1)) && !has(file(2)));
    put(3, BOB);
    assertThat(history()).containsExactly("1 submit user bob");
  }

  @Test
  void anotherLeaderKeepsWhatHistoriesName() throws Exception {
    put(1, ALICE);
    put(2, ALICE);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    lead();
    UnitName other = UnitName.of("other.service");
    var _ = cluster.put(other, Optional.of(file(9)), Optional.empty(), ALICE);
    assertThat(cluster.destroy(other, ALICE)).isTrue();
    Await.until(() -> !has(file(9)));
    assertThat(files(1L)).containsExactly(Optional.empty(), Optional.of(file(1)));
  }

  // ---- comments

  private static UnitFile commented(int number, String comment) {
    try {
      return UnitFile.typed(
          "# " + comment + "\n\n[Service]\nExecStart=/bin/sleep " + number + "\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private PutResult put(UnitName unit, UnitFile file, Optional<DesiredState> desired) {
    return cluster.put(unit, Optional.of(file), desired, ALICE);
  }

  private UnitRecord record(UnitName unit) {
    return UnitRecord.of(registry.get(Keys.unit(unit)).orElseThrow());
  }

  private boolean hasTyped(UnitFile file) {
    return registry.get(Keys.file(file.typedSha256())).isPresent();
  }

  @Test
  void newCommentsAreTakenAndNothingStartsAgain() throws Exception {
    UnitFile one = commented(1, "one");
    UnitFile two = commented(1, "two");
    assertThat(put(WEB, one, Optional.of(DesiredState.LAUNCHED))).isEqualTo(PutResult.CREATED);
    UnitRecord before = record(WEB);
    assertThat(cluster.text(WEB)).contains(one.text());

    assertThat(put(WEB, two, Optional.empty())).isEqualTo(PutResult.UPDATED);

    assertThat(cluster.text(WEB)).contains(two.text());
    assertThat(record(WEB)).isEqualTo(before.withSource(two.typedSha256()));
    assertThat(history()).hasSize(1);
    Await.until(() -> !hasTyped(one));
    long revision = registry.read("").revision();
    assertThat(put(WEB, two, Optional.of(DesiredState.LAUNCHED))).isEqualTo(PutResult.UPDATED);
    assertThat(put(WEB, two, Optional.empty())).isEqualTo(PutResult.UPDATED);
    assertThat(registry.read("").revision()).isEqualTo(revision);
    // Bare options leave the comments; a text without comments takes them away.
    assertThat(put(WEB, file(1), Optional.of(DesiredState.LAUNCHED))).isEqualTo(PutResult.UPDATED);
    assertThat(cluster.text(WEB)).contains(two.text());
    var _ = put(WEB, UnitFile.typed(file(1).render()), Optional.empty());
    assertThat(cluster.text(WEB)).isEmpty();
    Await.until(() -> !hasTyped(two));
    assertThat(has(file(1))).isTrue();
  }

  @Test
  void unitsOfOneTextHaveEachItsOwnComments() {
    UnitName first = UnitName.of("web@1.service");
    UnitName second = UnitName.of("web@2.service");
    UnitName third = UnitName.of("web@3.service");
    var _ =
        cluster.put(
            List.of(
                new UnitPut(first, Optional.of(commented(1, "one")), Optional.empty()),
                new UnitPut(second, Optional.of(commented(1, "two")), Optional.empty()),
                new UnitPut(third, Optional.of(file(1)), Optional.empty())),
            ALICE);
    assertThat(cluster.text(first)).contains(commented(1, "one").text());
    assertThat(cluster.text(second)).contains(commented(1, "two").text());
    assertThat(cluster.text(third)).isEmpty();
    assertThat(record(first).sha256()).isEqualTo(record(third).sha256());
  }

  @Test
  void commentsGoWithTheirContent() throws Exception {
    put(WEB, commented(1, "one"), Optional.empty());
    put(WEB, commented(1, "uno"), Optional.empty());
    put(WEB, commented(2, "two"), Optional.empty());
    assertThat(files(1L, 2L).stream().map(file -> file.orElseThrow().text()))
        .containsExactly(commented(2, "two").text(), commented(1, "uno").text());
    assertThat(hasTyped(commented(1, "uno"))).isTrue();

    var _ =
        registry.commit(
            Transaction.when().delete(Keys.file(commented(1, "uno").typedSha256())).build());
    assertThat(files(1L).getLast().orElseThrow().text()).isEqualTo(file(1).render());

    assertThat(cluster.destroy(WEB, ALICE)).isTrue();
    Await.until(() -> !hasTyped(commented(2, "two")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON",
        "{\"format\":2}",
        "{\"format\":1,\"text\":[\"[Service]\\nType=x\\n\"]}"
      })
  void commentsThatCannotBeReadStopNothing(String damage) {
    UnitFile one = commented(1, "one");
    put(WEB, one, Optional.empty());
    write(Keys.file(one.typedSha256()), damage);
    assertThat(cluster.text(WEB)).isEmpty();
    assertThat(put(WEB, commented(1, "two"), Optional.empty())).isEqualTo(PutResult.UPDATED);
    assertThat(cluster.text(WEB)).contains(commented(1, "two").text());
    assertThat(put(WEB, one, Optional.empty())).isEqualTo(PutResult.UPDATED);
    assertThat(cluster.text(WEB)).contains(one.text());
  }

  // ---- sets

  private PutResult putInto(Optional<UnitFile> file, Optional<String> set) {
    return cluster
        .put(List.of(new UnitPut(WEB, file, Optional.empty(), List.of(), set)), ALICE)
        .getFirst();
  }

  @Test
  void aUnitComesIntoASetWithoutAStartAndStaysThereWithAnotherContent() throws Exception {
    put(WEB, file(1), Optional.of(DesiredState.LAUNCHED));
    UnitRecord before = record(WEB);

    assertThat(putInto(Optional.empty(), Optional.of("shop"))).isEqualTo(PutResult.UPDATED);

    assertThat(record(WEB)).isEqualTo(before.withSet("shop"));
    Await.until(() -> cluster.unit(WEB).orElseThrow().set().equals("shop"));
    long revision = registry.read("").revision();
    assertThat(putInto(Optional.empty(), Optional.of("shop"))).isEqualTo(PutResult.UPDATED);
    assertThat(putInto(Optional.empty(), Optional.empty())).isEqualTo(PutResult.NO_DESIRED_STATE);
    assertThat(registry.read("").revision()).isEqualTo(revision);
    put(2, BOB);
    assertThat(record(WEB).set()).isEqualTo("shop");
    assertThat(putInto(Optional.of(file(3)), Optional.of("other"))).isEqualTo(PutResult.REPLACED);
    assertThat(record(WEB).set()).isEqualTo("other");
    UnitRecord last = record(WEB);
    assertThat(putInto(Optional.empty(), Optional.of(""))).isEqualTo(PutResult.UPDATED);
    assertThat(record(WEB)).isEqualTo(last.withSet(""));
  }

  @Test
  void aUnitThatIsNotAsSomebodySawItIsNotDestroyed() {
    assertThat(putInto(Optional.of(file(1)), Optional.of("shop"))).isEqualTo(PutResult.CREATED);
    Optional<Incarnation> incarnation = Optional.of(record(WEB).incarnation());
    assertThat(cluster.destroy(WEB, new DestroyCondition(Optional.of("mall"), incarnation), BOB))
        .isEqualTo(
            new DestroyResult.Kept("web.service is not in the set mall any more, but in shop"));
    var other = Optional.of(new Incarnation("another"));
    assertThat(cluster.destroy(WEB, new DestroyCondition(Optional.of("shop"), other), BOB))
        .isEqualTo(new DestroyResult.Kept("web.service has been replaced meanwhile"));
    assertThat(record(WEB).set()).isEqualTo("shop");

    var condition = new DestroyCondition(Optional.of("shop"), incarnation);
    assertThat(cluster.destroy(WEB, condition, BOB)).isEqualTo(new DestroyResult.Destroyed());
    assertThat(cluster.destroy(WEB, condition, BOB)).isEqualTo(new DestroyResult.Unknown());
  }

  // ---- damage, and other versions

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON",
        "{\"format\":2,\"revisions\":[]}",
        "{\"format\":1}",
        "{\"format\":1,\"revisions\":[{\"revision\":\"-7\"}]}"
      })
  void aHistoryThatCannotBeReadStopsNothingAndIsReplaced(String damage) {
    put(1, ALICE);
    put(2, ALICE);
    write(Keys.history(WEB), damage);
    assertThat(history()).containsExactly("1 submit user alice");

    assertThat(put(3, BOB)).isEqualTo(PutResult.REPLACED);

    assertThat(history()).containsExactly("2 submit user bob", "1 submit user alice");
    assertThat(files(1L).getLast()).contains(file(2));
    write(Keys.history(WEB), damage);
    assertThat(cluster.destroy(WEB, ALICE)).isTrue();
    assertThat(registry.get(Keys.history(WEB))).isEmpty();
  }

  @Test
  void aContentThatAnOlderFleetdWroteComesInWithTheNextOne() {
    put(1, ALICE);
    put(2, ALICE);
    writtenByAnOlderFleetd(3);
    assertThat(history())
        .containsExactly("3  user old", "2 submit user alice", "1 submit user alice");
    put(4, BOB);
    assertThat(history())
        .containsExactly(
            "4 submit user bob", "3  user old", "2 submit user alice", "1 submit user alice");
    assertThat(files(3L).get(1)).contains(file(3));
  }

  /**
   * It knows neither sets nor comments: whoever prunes a set must not take the unit for one of it.
   */
  @Test
  void aContentThatAnOlderFleetdWroteIsInNoSetAndHasNoComments() {
    put(WEB, commented(1, "one"), Optional.empty());
    put(WEB, commented(2, "two"), Optional.empty());
    assertThat(putInto(Optional.empty(), Optional.of("shop"))).isEqualTo(PutResult.UPDATED);
    writtenByAnOlderFleetd(3);

    assertThat(cluster.text(WEB)).isEmpty();
    var ifInShop = new DestroyCondition(Optional.of("shop"), Optional.empty());
    assertThat(cluster.destroy(WEB, ifInShop, BOB)).isInstanceOf(DestroyResult.Kept.class);
    assertThat(files(1L, 2L, 3L).stream().map(file -> file.orElseThrow().text()))
        .containsExactly(file(3).render(), commented(2, "two").text(), commented(1, "one").text());

    assertThat(putInto(Optional.of(commented(3, "three")), Optional.of("shop")))
        .isEqualTo(PutResult.UPDATED);
    assertThat(record(WEB).set()).isEqualTo("shop");
    assertThat(cluster.text(WEB)).contains(commented(3, "three").text());
  }

  @Test
  void whatANewerFleetdKeepsOfAUnitSurvivesThisOne() {
    put(1, ALICE);
    put(2, ALICE);
    String newer = ",\"newer\":{\"a\":[1]}}";
    write(Keys.unit(WEB), value(Keys.unit(WEB)).replaceFirst("}$", newer));
    write(
        Keys.history(WEB),
        value(Keys.history(WEB))
            .replace("\"by\"", "\"why\":\"x\",\"by\"")
            .replaceFirst("}$", newer));

    assertThat(putInto(Optional.empty(), Optional.of("shop"))).isEqualTo(PutResult.UPDATED);
    assertThat(put(WEB, commented(2, "two"), Optional.of(DesiredState.LOADED)))
        .isEqualTo(PutResult.UPDATED);
    assertThat(value(Keys.unit(WEB))).endsWith(newer);
    assertThat(history()).hasSize(2);

    put(3, BOB);
    assertThat(value(Keys.history(WEB))).endsWith(newer).contains("\"why\":\"x\"");
    assertThat(history()).hasSize(3);
  }

  private String value(String key) {
    return registry.get(key).orElseThrow().value();
  }

  private void writtenByAnOlderFleetd(int number) {
    UnitFile file = file(number);
    var unit =
        new UnitRecord(
            new Incarnation("i"),
            file.sha256(),
            file.hash(),
            DesiredState.INACTIVE,
            0,
            "user old",
            Instant.now());
    var _ =
        registry.commit(
            Transaction.when()
                .put(Keys.file(file.sha256()), new FileRecord(file.render()).json())
                .put(Keys.unit(WEB), unit.json())
                .build());
  }

  @Test
  void theTextThatAnOlderLeaderDeletedIsMissing() {
    put(1, ALICE);
    put(2, ALICE);
    var _ = registry.commit(Transaction.when().delete(Keys.file(file(1).sha256())).build());
    assertThat(files(1L, 2L)).containsExactly(Optional.of(file(2)), Optional.empty());
    put(1, BOB);
    assertThat(files(3L).getFirst()).contains(file(1));
  }

  @Test
  void theHistoryThatAnOlderFleetdLeftBehindIsDeleted() throws Exception {
    put(1, ALICE);
    put(2, ALICE);
    var away = new AtomicBoolean(true);
    store.interfere(transaction -> {
      boolean removes =
          transaction.writes().stream().anyMatch(one -> one.key().equals(Keys.history(WEB)));
      if (removes && away.getAndSet(false)) {
        throw new RegistryException("the store is away");
      }
      return Optional.empty();
    });

    var _ = registry.commit(Transaction.when().delete(Keys.unit(WEB)).build());

    Await.until(() -> !away.get());
    Await.until(() -> {
      time.skip(Duration.ofSeconds(1));
      return registry.get(Keys.history(WEB)).isEmpty() && !has(file(1));
    });
  }

  /** Between its reads of the unit and of its history. */
  @Test
  void aChangeWhileTheHistoryIsReadIsSeen() {
    put(1, ALICE);
    put(2, ALICE);
    var reads = new AtomicInteger();
    store.beforeGet(() -> {
      if (reads.incrementAndGet() == 2) {
        new UnitCommands(registry, Clock.systemUTC(), () -> new Incarnation("x"))
            .put(
                List.of(new UnitPut(WEB, Optional.of(file(3)), Optional.of(DesiredState.INACTIVE))),
                BOB);
      }
    });
    assertThat(history())
        .containsExactly("3 submit user bob", "2 submit user alice", "1 submit user alice");
  }
}

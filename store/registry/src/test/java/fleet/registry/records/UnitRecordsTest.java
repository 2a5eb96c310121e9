package fleet.registry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of units and their history, and what is refused of any record. */
class UnitRecordsTest {

  static final UnitRecord UNIT =
      new UnitRecord(
          new Incarnation("i-1"),
          "ab".repeat(32),
          "cd".repeat(20),
          DesiredState.LAUNCHED,
          Long.MAX_VALUE,
          "uid 0 \"root\" \u00fc \ud83d\ude00 \u0000",
          Instant.parse("2026-02-03T04:05:06.789123456Z"));

  private static Entry stored(String value) {
    return new Entry("some/key", value, 1, 1);
  }

  @Test
  void aHistoryIsReadAsItWasWritten() {
    HistoryRecord history = HistoryRecord.none().upTo(UNIT).with(another("s2"), "rollout");
    assertThat(HistoryRecord.of(stored(history.json()))).isEqualTo(history);
    assertThat(history.revisions()).hasSize(2);
    assertThat(history.upTo(another("s2"))).isEqualTo(history);
    assertThat(history.with(another(UNIT.sha256()), "submit").revisions())
        .extracting(HistoryRecord.Revision::number)
        .containsExactly(3L, 2L);
    String newer =
        history.json().replaceFirst("\"by\"", "\"why\":\"x\",\"by\"").replace("]}", "],\"y\":1}");
    assertThat(HistoryRecord.of(stored(newer)).with(another("s3"), "").json())
        .contains("\"why\":\"x\"", "\"y\":1");
  }

  @Test
  void theTextAsItWasTypedIsKeptByItsName() {
    UnitRecord typed = UNIT.withSource("t1").withDesired(DesiredState.LOADED, "user b").asEnded();
    assertThat(typed.source()).isEqualTo("t1");
    assertThat(UnitRecord.of(stored(typed.json()))).isEqualTo(typed);
    assertThat(UNIT.json()).doesNotContain("source");
    HistoryRecord history =
        HistoryRecord.none().upTo(UNIT).upTo(typed).with(another("s2").withSource("t2"), "submit");
    assertThat(HistoryRecord.of(stored(history.json()))).isEqualTo(history);
    assertThat(history.sourceOf(UNIT.sha256())).isEqualTo("t1");
    assertThat(history.sourceOf("s2")).isEqualTo("t2");
    assertThat(history.sourceOf("s3")).isEmpty();
  }

  @Test
  void aHistoryHoldsTenContents() {
    HistoryRecord history = HistoryRecord.none();
    for (int i = 1; i <= 20; i++) {
      history = history.with(another("s" + i), "submit");
    }
    assertThat(history.revisions()).hasSize(10);
    assertThat(history.revisions().getFirst().number()).isEqualTo(20);
    assertThat(history.revisions().getLast().number()).isEqualTo(11);
  }

  static UnitRecord another(String sha256) {
    return new UnitRecord(
        new Incarnation("i-2"), sha256, "h", DesiredState.LAUNCHED, 1, "user b", Instant.EPOCH);
  }

  @Test
  void whoGaveAUnitItsContentIsKeptWhileOthersChangeIt() {
    UnitRecord changed = UNIT.withDesired(DesiredState.LOADED, "user b").withAnotherStart("user c");
    assertThat(changed.contentBy()).isEqualTo(UNIT.by());
    assertThat(UnitRecord.of(stored(changed.json()))).isEqualTo(changed);
    assertThat(changed.asEnded().withRequire(List.of()).contentBy()).isEqualTo(UNIT.by());
    assertThat(changed.withAnotherStart(UNIT.by()).json()).doesNotContain("author");
  }

  @Test
  void theSetOfAUnitIsKeptWhateverBecomesOfIt() {
    UnitRecord kept = UNIT.withSet("shop");
    assertThat(UNIT.json()).doesNotContain("set");
    assertThat(UnitRecord.of(stored(kept.json()))).isEqualTo(kept);
    UnitRecord changed =
        kept.withDesired(DesiredState.INACTIVE, "a")
            .withAnotherStart("a")
            .asEnded()
            .withRequire(List.of())
            .withSource("s");
    assertThat(changed.set()).isEqualTo("shop");
    assertThat(changed.withSet("").json()).doesNotContain("set");
  }

  @Test
  void whatAUnitAsksBesideItsFileIsKeptUntilItIsInactive() {
    var require = List.of("MachineMetadata=region=eu", "Memory=1G");
    UnitRecord asks = UNIT.withRequire(require);
    var entry = new ScheduleRecord(new Incarnation("i"), "s", "h", TargetState.LAUNCHED, 3);
    var scheduled = entry.withRequire(require);

    assertThat(UnitRecord.of(stored(asks.json()))).isEqualTo(asks);
    assertThat(asks.json()).contains("\"require\":[\"MachineMetadata=region=eu\",\"Memory=1G\"]");
    assertThat(asks.withDesired(DesiredState.LOADED, "a").withAnotherStart("a").require())
        .isEqualTo(require);
    assertThat(asks.withDesired(DesiredState.INACTIVE, "a").json()).doesNotContain("require");
    String unloadedByAnOlderOne = asks.json().replace("launched", "inactive");
    assertThat(UnitRecord.of(stored(unloadedByAnOlderOne)).require()).isEmpty();
    assertThat(UnitRecord.of(stored(UNIT.json())).require()).isEmpty();

    assertThat(ScheduleRecord.of(stored(scheduled.json()))).isEqualTo(scheduled);
    assertThat(scheduled.stopping("its desired state is inactive").require()).isEqualTo(require);
    assertThat(scheduled.withTarget(TargetState.LOADED).withRestartCounter(4).require())
        .isEqualTo(require);
    assertThat(entry.json()).doesNotContain("require");
    assertWrong(
        asks.json().replace("\"Memory=1G\"", "1"), "require holds something that is not a string");
  }

  @Test
  void aNewerFormatIsRefusedWithItsKey() {
    assertThatThrownBy(() -> UnitRecord.of(stored(UNIT.json().replace("mat\":1", "mat\":2"))))
        .isInstanceOf(RegistryException.class)
        .hasMessage(
            "value of key some/key in the registry has format 2, this fleet reads up to 1: upgrade"
                + " it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[1]",
        "null",
        "1",
        "{} {}",
        "{}x",
        "{\"a\":tru}",
        "{\"a\":\"x",
        "\u0000"
      })
  void whatIsNoJsonObjectIsRefusedWithItsKey(String value) {
    assertThatThrownBy(() -> UnitRecord.of(stored(value)))
        .isInstanceOf(RegistryException.class)
        .hasMessage("value of key some/key in the registry is not a JSON object");
  }

  @Test
  void deepNestingIsRefusedAsAnyOtherDamage() {
    assertThatThrownBy(() -> UnitRecord.of(stored("{\"a\":" + "[".repeat(1_000_000))))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("some/key");
  }

  @Test
  void aWrongFieldIsRefusedWithItsKeyAndName() {
    assertWrong(UNIT.json().replace("launched", "flying"), "desired has the unknown value flying");
    assertWrong(UNIT.json().replace("\"hash\"", "\"hush\""), "hash is missing");
    assertWrong(UNIT.json().replace("\"i-1\"", "7"), "incarnation is not a string");
    assertWrong(UNIT.json().replace("2026-", "then-"), "created is not a time");
    assertWrong(UNIT.json().replace("775807", "7758070"), "restartCounter is not a whole number");
  }

  private static void assertWrong(String value, String expected) {
    assertThat(value).isNotEqualTo(UNIT.json());
    assertThatThrownBy(() -> UnitRecord.of(stored(value)))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith("value of key some/key in the registry: field ")
        .hasMessageContaining(expected);
  }
}

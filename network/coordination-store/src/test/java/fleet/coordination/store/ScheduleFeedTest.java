package fleet.coordination.store;

import static fleet.coordination.store.Node.entry;
import static fleet.coordination.store.Node.unit;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Maintenance;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import fleet.registry.records.FileRecord;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.SettingsRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A machine follows its schedule, whatever is in the store. */
class ScheduleFeedTest extends StoreTest {

  private static final ScheduleEntry ONE = entry(unit(1), TargetState.LAUNCHED);
  private static final ScheduleEntry TWO = entry(unit(2), TargetState.LAUNCHED);

  private static String keyOf(ScheduleEntry entry) {
    return Keys.schedule(MACHINE.id(), entry.unit());
  }

  @Test
  void anEntryThatCannotBeReadLeavesItsUnitAloneAndAllElseGoesOn() throws Exception {
    engine.put(keyOf(ONE), "{\"format\":1}");
    engine.put(Keys.schedules(MACHINE.id()) + "no unit at all", "garbage");
    engine.schedule(MACHINE.id(), TWO);
    Node node = join(MACHINE);
    node.follower.awaitEntry(TWO.unit());
    assertThat(node.follower.heard()).containsExactly("snapshot");
    assertThat(node.follower.leftAlone()).containsExactly(ONE.unit());
    assertThat(node.follower.schedule()).containsOnlyKeys(TWO.unit());

    engine.schedule(MACHINE.id(), ONE);
    node.follower.awaitEntry(ONE.unit());
    assertThat(node.follower.leftAlone()).isEmpty();

    engine.put(keyOf(ONE), "garbage");
    node.follower.await(() -> node.follower.leftAlone().contains(ONE.unit()));
    assertThat(node.follower.schedule()).containsKeys(ONE.unit(), TWO.unit());

    engine.unschedule(MACHINE.id(), ONE.unit());
    node.follower.awaitNothingOf(ONE.unit());
    assertThat(node.follower.leftAlone()).isEmpty();
  }

  @Test
  void aMissingOrWrongFileLeavesItsUnitAloneUnlessItIsToStop() throws Exception {
    engine.schedule(MACHINE.id(), ONE);
    engine.schedule(MACHINE.id(), TWO);
    engine.delete(Keys.file(ONE.file().sha256()));
    engine.put(Keys.file(TWO.file().sha256()), "garbage");
    ScheduleEntry three = entry(unit(3), TargetState.LAUNCHED);
    engine.schedule(MACHINE.id(), three);

    Node node = join(MACHINE);
    node.follower.awaitEntry(three.unit());
    assertThat(node.follower.leftAlone()).containsExactlyInAnyOrder(ONE.unit(), TWO.unit());

    engine.schedule(MACHINE.id(), ONE.withTarget(TargetState.STOPPING));
    engine.delete(Keys.file(ONE.file().sha256()));
    node.follower.awaitTarget(ONE.unit(), TargetState.STOPPING);
    assertThat(node.follower.leftAlone()).containsExactly(TWO.unit());
  }

  @Test
  void aFileThatNobodyNamesAnyMoreDoesNotKeepAUnitFromStopping() throws Exception {
    engine.schedule(MACHINE.id(), ONE.withTarget(TargetState.STOPPING));
    engine.delete(Keys.file(ONE.file().sha256()));

    Node node = join(MACHINE);

    node.follower.awaitTarget(ONE.unit(), TargetState.STOPPING);
    assertThat(node.follower.entry(ONE.unit()).map(ScheduleEntry::file))
        .contains(new UnitFile(List.of()));
  }

  @Test
  void globalUnitsComeToAllAndAPlacedOneComesFirst() throws Exception {
    engine.scheduleGlobal(ONE);
    Node node = join(MACHINE);
    node.follower.awaitEntry(ONE.unit());
    assertThat(node.follower.entry(ONE.unit()).orElseThrow().global()).isTrue();

    engine.schedule(MACHINE.id(), ONE);
    node.follower.await(() -> !node.follower.entry(ONE.unit()).orElseThrow().global());
    engine.delete(Keys.global(ONE.unit()));
    engine.scheduleGlobal(TWO);
    node.follower.awaitEntry(TWO.unit());
    assertThat(node.follower.schedule()).containsOnlyKeys(ONE.unit(), TWO.unit());
  }

  @Test
  void aMachineHasTheContentOfAGlobalUnitWhoseTurnItIsThere() throws Exception {
    UnitFile other = new UnitFile(List.of(new UnitOption("Service", "ExecStart", "/bin/new")));
    engine.scheduleGlobal(ONE);
    engine.put(Keys.file(other.sha256()), new FileRecord(other.render()).json());
    var main =
        new ScheduleRecord(
            ONE.incarnation(), ONE.file().sha256(), ONE.file().hash(), TargetState.LAUNCHED, 0);
    var update =
        new GlobalUpdate(new Incarnation("second"), other.sha256(), other.hash(), 1, MACHINE.id());
    Node node = join(MACHINE);

    engine.put(Keys.global(ONE.unit()), main.withUpdate(Optional.of(update)).json());
    node.follower.await(() -> incarnation(node).equals(Optional.of(update.incarnation())));
    assertThat(node.follower.entry(ONE.unit()).map(ScheduleEntry::file)).contains(other);
    engine.put(Keys.global(ONE.unit()), main.withUpdate(Optional.of(update.withUpTo(""))).json());
    node.follower.await(() -> incarnation(node).equals(Optional.of(ONE.incarnation())));
    assertThat(node.follower.entry(ONE.unit()).map(ScheduleEntry::file)).contains(ONE.file());
  }

  private static Optional<Incarnation> incarnation(Node node) {
    return node.follower.entry(ONE.unit()).map(ScheduleEntry::incarnation);
  }

  @Test
  void settingsChangeTheMachineAsItsAgentSeesIt() throws Exception {
    engine.put(Keys.settings(MACHINE.id()), SettingsRecord.NONE.withMetadata("disk", "ssd").json());
    Node node = join(MACHINE);
    node.follower.await(() -> node.follower.machine() != null);
    assertThat(node.follower.machine()).isEqualTo(MACHINE.withMetadata(Map.of("disk", "ssd")));

    engine.put(Keys.settings(MACHINE.id()), "garbage");
    engine.put(Keys.settings(MACHINE.id() + "1"), SettingsRecord.NONE.json());
    engine.put(
        Keys.settings(MACHINE.id()),
        SettingsRecord.NONE.withMetadata("disk", "tape").withCordoned(true).json());
    node.follower.await(
        () -> MACHINE.withMetadata(Map.of("disk", "tape")).equals(node.follower.machine()));
    engine.put(
        Keys.settings(MACHINE.id()), SettingsRecord.NONE.withMetadata("disk", "tape").json());
    engine.delete(Keys.settings(MACHINE.id()));
    node.follower.await(() -> MACHINE.equals(node.follower.machine()));
    var window = new Maintenance(Instant.ofEpochSecond(1), "user a", "");
    engine.put(
        Keys.settings(MACHINE.id()),
        SettingsRecord.NONE.withMaintenance(Optional.of(window)).json());
    node.follower.await(
        () -> MACHINE.withMaintenance(Optional.of(window.until())).equals(node.follower.machine()));

    assertThat(node.follower.heard())
        .containsExactly("snapshot", "snapshot", "snapshot", "snapshot");
    assertThat(record(MACHINE).value()).doesNotContain("tape");
  }

  @Test
  void entriesOfManyFilesComeInTheOrderTheyWereWritten() throws Exception {
    Node node = join(MACHINE);
    for (int i = 0; i < 200; i++) {
      engine.schedule(MACHINE.id(), entry(unit(i % 50), TargetState.LAUNCHED));
      engine.schedule(MACHINE.id(), entry(unit(i % 50), TargetState.LOADED));
    }
    engine.schedule(MACHINE.id(), entry(unit(99), TargetState.LAUNCHED));

    node.follower.awaitEntry(unit(99));

    assertThat(node.follower.schedule()).hasSize(51);
    for (int i = 0; i < 50; i++) {
      assertThat(node.follower.entry(unit(i)).map(ScheduleEntry::target))
          .contains(TargetState.LOADED);
    }
  }
}

package fleet.registry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Drain;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.machine.Overcommit;
import fleet.core.machine.Resources;
import fleet.core.machine.Role;
import fleet.core.operation.Move;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordsTest {

  private static final String SETTINGS =
      "{\"format\":1,\"metadata\":{},\"removed\":[],\"cordoned\":true";

  private static Entry stored(String value) {
    return new Entry("some/key", value, 1, 1);
  }

  @Test
  void aRecordIsReadAsItWasWritten() {
    var placement = new PlacementRecord("m1", new Incarnation("i"), Instant.EPOCH, "least loaded");
    var schedule = new ScheduleRecord(new Incarnation("i"), "s", "h", TargetState.STOPPING, 3);
    var command = new CommandRecord("web.service", CommandRecord.DESTROY, "", "user root");
    var settings = new SettingsRecord(Map.of("region", "eu", "x", ""), Set.of("disk"), true);

    assertThat(UnitRecord.of(stored(UnitRecordsTest.UNIT.json()))).isEqualTo(UnitRecordsTest.UNIT);
    assertThat(UnitRecord.of(stored(UnitRecordsTest.UNIT.asEnded().json())))
        .isEqualTo(UnitRecordsTest.UNIT.asEnded());
    assertThat(UnitRecordsTest.UNIT.hasEnded()).isFalse();
    assertThat(UnitRecordsTest.UNIT.asEnded().hasEnded()).isTrue();
    assertThat(PlacementRecord.of(stored(placement.json()))).isEqualTo(placement);
    assertThat(ScheduleRecord.of(stored(schedule.json()))).isEqualTo(schedule);
    assertThat(SettingsRecord.of(stored(settings.json()))).isEqualTo(settings);
    assertThat(CommandRecord.of(stored(command.json()))).isEqualTo(command);
    var config = new ConfigRecord("binpack", "user root");
    assertThat(ConfigRecord.of(stored(config.json()))).isEqualTo(config);
  }

  @Test
  void aRolloutIsReadAsItWasWrittenAndKeepsItsFilesUntilItIsOver() {
    UnitName name = UnitName.of("web@.service");
    OperationId id = OperationId.rollout(name);
    var operation = new Operation(id, "user root", Instant.EPOCH, Stage.FORWARD, true, "why", 2);
    RolloutRecord record =
        new RolloutRecord(
                operation,
                "hash",
                "new",
                Duration.ofSeconds(10),
                Map.of(name.instantiate("1"), "old", name.instantiate("2"), "older"),
                3)
            .withProven(Set.of(name.instantiate("1")));

    assertThat(RolloutRecord.of(new Entry(Keys.operation(id), record.json(), 1, 1)))
        .isEqualTo(record);
    assertThatThrownBy(() ->
            RolloutRecord.of(
                new Entry(Keys.operation(id), record.json().replace("web@2.service", "web"), 1, 1)))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("operation/rollout-web@.service");
    RolloutRecord promoted = record.after(OperationChange.PROMOTE, "user b");
    assertThat(promoted.json()).doesNotContain("canaries");
    assertThat(RolloutRecord.of(new Entry(Keys.operation(id), promoted.json(), 1, 1)))
        .isEqualTo(promoted);
    assertThat(promoted.operation().reason()).isEqualTo("why");
    assertThat(record.withCanariesProven().after(OperationChange.RESUME, "user b"))
        .isEqualTo(
            new RolloutRecord(
                    operation.withPaused(false).withStage(Stage.FORWARD, ""),
                    record.hash(),
                    record.sha256(),
                    record.healthy(),
                    record.before(),
                    0)
                .withProven(record.proven()));
    assertThat(record.files()).containsExactlyInAnyOrder("new", "old", "older");
    assertThat(record.with(operation.withStage(Stage.BACK, "")).files()).hasSize(3);
    assertThat(record.with(operation.withStage(Stage.DONE, "")).files()).isEmpty();
    assertThat(record.with(operation.withStage(Stage.UNDONE, "")).files()).isEmpty();
  }

  @Test
  void theEndOfAProcessIsReadAsItWasWrittenAndMissingInEarlierVersions() {
    UnitName unit = UnitName.of("a.service");
    String key = Keys.state("m1", unit);
    var systemd =
        new SystemdState("loaded", "failed", "failed", "signal", "", 0, Instant.EPOCH, 3, 9);
    var state =
        new UnitState(unit, "m1", new Incarnation("i"), "h", DesiredState.LAUNCHED, 1, systemd, "");
    String value = new ReportRecord(new AgentReport.Stated(state)).json();

    assertThat(ReportRecord.of(new Entry(key, value, 1, 1)).report())
        .isEqualTo(new AgentReport.Stated(state));
    String earlier = value.replaceAll(",\"exit(Code|Signal)\":\\d", "");
    assertThat(ReportRecord.of(new Entry(key, earlier, 1, 1)).report())
        .isInstanceOfSatisfying(
            AgentReport.Stated.class,
            stated -> assertThat(stated.state().systemd().exitSignal()).isZero());
  }

  @Test
  void aMachineThatIsGoneIsReadAsItWasWritten() {
    var machine =
        new Machine("m1", "", "10.0.0.1", Map.of("region", "eu"), "2.0.0")
            .withHost("node1", "x86_64");
    var gone = new DepartureRecord(machine, true, Instant.EPOCH);

    for (DepartureRecord record :
        List.of(gone, gone.asRemoved(), DepartureRecord.leading(machine, Instant.EPOCH))) {
      assertThat(DepartureRecord.of(new Entry(Keys.departed("m1"), record.json(), 1, 1)))
          .isEqualTo(record);
    }
  }

  @Test
  void aMachineThatIsGoneKeepsNoLongDescription() {
    var machine =
        new Machine("m1", "", "10.0.0.1", Map.of("text", "x".repeat(60_000)), "2.0.0")
            .withHost("node1", "x86_64");

    assertThat(new DepartureRecord(machine, true, Instant.EPOCH))
        .isEqualTo(DepartureRecord.unknown("m1", true, Instant.EPOCH));
  }

  @Test
  void anEntrySaysWhyItIsToStopAndNothingWhereItIsNot() {
    var launched = new ScheduleRecord(new Incarnation("i"), "s", "h", TargetState.LAUNCHED, 3);
    var stopping = launched.stopping("it was destroyed");

    assertThat(ScheduleRecord.of(stored(stopping.json()))).isEqualTo(stopping);
    assertThat(stopping.json()).contains("\"why\":\"it was destroyed\"");
    assertThat(launched.json()).doesNotContain("why");
    assertThat(stopping.withTarget(TargetState.LAUNCHED)).isEqualTo(launched);
  }

  @Test
  void eachMachineHasExactlyOneOfTwoContentsOfAGlobalUnit() {
    var main = new ScheduleRecord(new Incarnation("i"), "s", "h", TargetState.LAUNCHED, 3);
    var update = new GlobalUpdate(new Incarnation("j"), "s2", "h2", 1, "");
    assertThat(main.json()).doesNotContain("turn");
    assertThat(main.on("m1")).isEqualTo(main);
    List<String> machines = List.of("m1", "m2", "m3");
    List<String> before = List.of();
    for (String upTo : List.of("", "m1", "m15", "m2", "z")) {
      ScheduleRecord both = main.withUpdate(Optional.of(update.withUpTo(upTo)));
      assertThat(ScheduleRecord.of(stored(both.json()))).isEqualTo(both);
      List<String> having =
          machines.stream().filter(id -> both.on(id).sha256().equals("s2")).toList();
      assertThat(having).containsAll(before);
      assertThat(having.contains("m1")).isEqualTo(!upTo.isEmpty());
      before = having;
      for (String id : machines) {
        boolean isNew = having.contains(id);
        assertThat(both.on(id).update()).isEmpty();
        assertThat(both.on(id).incarnation().id()).isEqualTo(isNew ? "j" : "i");
        assertThat(both.on(id).restartCounter()).isEqualTo(isNew ? 1 : 3);
        assertThat(both.on(id).target()).isEqualTo(TargetState.LAUNCHED);
      }
    }
    assertThat(before).isEqualTo(machines);
    String wrong = main.withUpdate(Optional.of(update)).json().replace("\"s2\"", "3");
    assertThatThrownBy(() -> ScheduleRecord.of(stored(wrong)))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("turn");
  }

  @Test
  void theRolloutOfAGlobalUnitIsReadAsItWasWritten() {
    UnitName mon = UnitName.of("mon.service");
    OperationId id = OperationId.rollout(mon);
    var update = new GlobalUpdate(new Incarnation("j"), "new", "hash", 1, "m1");
    var operation = new Operation(id, "user root", Instant.EPOCH, "", 1);
    RolloutRecord record =
        new RolloutRecord(operation, "hash", "new", Duration.ZERO, Map.of(mon, "old"), 0)
            .withGlobal(new GlobalRollout(new Incarnation("i"), 3, update, "m0"));
    assertThat(RolloutRecord.of(new Entry(Keys.operation(id), record.json(), 1, 1)))
        .isEqualTo(record);
    assertThat(record.after(OperationChange.CANCEL, "user b").operation().stage())
        .as("it cannot stay with two contents")
        .isEqualTo(Stage.BACK);
  }

  @Test
  void aRestartInTurnsPausesAtAFailureAndPeopleAcceptIt() {
    OperationId id = OperationId.restart(UnitName.of("mon.service"));
    var update = new GlobalUpdate(new Incarnation("i"), "s", "hash", 4, "m2");
    var record =
        new RestartRecord(
            new Operation(id, "user root", Instant.EPOCH, "", 1),
            Duration.ofSeconds(2),
            new GlobalRollout(new Incarnation("i"), 3, update, "m1"));
    assertThat(OperationRecord.of(new Entry(Keys.operation(id), record.json(), 1, 1)))
        .isEqualTo(record);
    RestartRecord failed = record.failed("m2", "mon.service on machine m2 failed");
    assertThat(failed.operation().paused()).isTrue();
    assertThat(failed.acceptsFailureOn("m2")).isFalse();

    RestartRecord resumed = failed.after(OperationChange.RESUME, "user b");

    assertThat(resumed.acceptsFailureOn("m2")).isTrue();
    assertThat(resumed.acceptsFailureOn("m1")).as("it may fail later").isFalse();
    assertThat(resumed.operation()).isEqualTo(record.operation());
    assertThat(OperationRecord.of(new Entry(Keys.operation(id), resumed.json(), 1, 1)))
        .isEqualTo(resumed);
    RestartRecord paused = record.after(OperationChange.PAUSE, "user b");
    assertThat(paused.after(OperationChange.RESUME, "user b"))
        .as("nothing failed")
        .isEqualTo(record);
    assertThat(failed.after(OperationChange.CANCEL, "user b").operation().stage())
        .isEqualTo(Stage.CANCELLED);
    assertThatThrownBy(() ->
            RestartRecord.of(
                new Entry(Keys.operation(id), record.json().replace("global", "other"), 1, 1)))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("global");
  }

  /** Machines pass over a start that they have had. */
  @Test
  void aStartHasACounterThatNoMachineHasHad() {
    UnitRecord before = UnitRecordsTest.another("s");
    UnitRecord taken = before.withNextCounterTaken();
    assertThat(UnitRecord.of(stored(taken.json()))).isEqualTo(taken);
    assertThat(taken.restartCounter()).isEqualTo(before.restartCounter());
    UnitRecord changed = taken.withDesired(DesiredState.LOADED, "a").asEnded().withSet("shop");
    assertThat(changed.withAnotherStart("a").restartCounter())
        .isEqualTo(before.restartCounter() + 2);
    UnitRecord done = taken.withStart(taken.highestCounter(), "a");
    assertThat(done.restartCounter()).isEqualTo(before.restartCounter() + 1);
    assertThat(done.json()).doesNotContain("highestCounter");
  }

  @Test
  void anEntryThatMovesSaysWhereThereIsAPlace() {
    var launched = new ScheduleRecord(new Incarnation("i"), "s", "h", TargetState.LAUNCHED, 3);
    var moving = launched.moving("m1 is drained", "m2");

    assertThat(ScheduleRecord.of(stored(moving.json()))).isEqualTo(moving);
    assertThat(moving.next()).isEqualTo("m2");
    assertThat(launched.stopping("it was destroyed").json()).doesNotContain("next");
    assertThat(moving.withTarget(TargetState.LAUNCHED)).isEqualTo(launched);
  }

  @Test
  void aMachineIsInMaintenanceUntilThatIsTakenOut() {
    var window = new Maintenance(Instant.parse("2026-01-01T00:30:00Z"), "user a", "node1");
    var maintained = SettingsRecord.NONE.withMaintenance(Optional.of(window));

    assertThat(SettingsRecord.of(stored(maintained.json()))).isEqualTo(maintained);
    assertThat(
            maintained
                .withMetadata("a", "b")
                .withoutMetadata("c")
                .withDrain(new Drain(1, "user a", Instant.EPOCH))
                .withCordoned(false)
                .maintenance())
        .contains(window);
    var machine = new Machine("m1", "boot", "", Map.of(), "2");
    assertThat(maintained.applyTo(machine).maintenance()).contains(window.until());
    assertThat(maintained.withMaintenance(Optional.empty())).isEqualTo(SettingsRecord.NONE);
  }

  @Test
  void aMachineIsDrainedAsLongAsItIsCordoned() {
    var drained = SettingsRecord.NONE.withDrain(new Drain(2, "user a", Instant.EPOCH, true));

    assertThat(SettingsRecord.of(stored(drained.json()))).isEqualTo(drained);
    assertThat(drained.cordoned()).isTrue();
    assertThat(drained.withMetadata("a", "b").withoutMetadata("c").drain())
        .isEqualTo(drained.drain());
    assertThat(drained.withCordoned(false)).isEqualTo(SettingsRecord.NONE);
    String uncordonedByAnOlderOne = drained.json().replace("true", "false");
    assertThat(SettingsRecord.of(stored(uncordonedByAnOlderOne)).drain()).isEmpty();
  }

  private static Entry rebalance(String value) {
    return new Entry(Keys.operation(OperationId.REBALANCE), value, 1, 1);
  }

  @Test
  void aRebalanceIsReadAsItWasWrittenAndItsEndSaysWhatStayed() {
    var begun =
        new RebalanceRecord(
            new Operation(OperationId.REBALANCE, "user a", Instant.EPOCH, "", 2),
            1,
            List.of(
                new Move(UnitName.of("web@1.service"), "m1", "m3"),
                new Move(UnitName.of("a.service"), "m2", "m3")));
    RebalanceRecord stopped = begun.with(begun.operation().after(OperationChange.CANCEL, "user b"));
    RebalanceRecord ended = stopped.ended(new TreeMap<>(Map.of("a.service", "it is no more")));

    assertThat(RebalanceRecord.of(rebalance(begun.json()))).isEqualTo(begun);
    assertThat(RebalanceRecord.of(rebalance(ended.json()))).isEqualTo(ended);
    assertThat(begun.operation().goesOn()).isTrue();
    assertThat(stopped.operation().goesOn()).isFalse();
    assertThat(ended.operation().stage()).isEqualTo(Stage.CANCELLED);
    assertThat(ended.operation().reason()).isEqualTo("user b stopped the rebalance");
    assertThat(begun.json())
        .contains("\"moves\":[{\"unit\":\"web@1.service\",\"from\":\"m1\",\"to\":\"m3\"},");
    String ofANewerOne = begun.json().replace("\"within\"", "\"newer\":true,\"within\"");
    assertThat(RebalanceRecord.of(rebalance(ofANewerOne)).ended(new TreeMap<>()).json())
        .contains("\"newer\":true");
    assertThatThrownBy(
            () -> RebalanceRecord.of(rebalance(begun.json().replace("web@1.service", "web 1"))))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("field moves does not name a unit");
    assertThatThrownBy(() ->
            RebalanceRecord.of(rebalance(begun.json().replace("{\"unit\":\"a", "3,{\"unit\":\"a"))))
        .hasMessageContaining("field moves holds something that is not an object");
  }

  @Test
  void aMachineTellsWhatItHasAndKeepsAndOneOfBeforeTellsNothingOfThat() {
    Machine machine =
        new Machine(
            "m1",
            "boot",
            "10.0.0.1",
            Map.of(),
            "2.0.0",
            Isolation.KEEP,
            new Resources(4_000, 1L << 34, 1L << 40, 32_768),
            new Resources(500, 1L << 30, 1, 2));
    String json = new MachineRecord(machine, Duration.ZERO).json();

    assertThat(MachineRecord.of(new Entry("machine/m1", json, 1, 1)).machine()).isEqualTo(machine);
    String before = json.replaceAll(",\"(tasks|kept\\w+)\":\\d+", "");
    assertThat(before).doesNotContain("kept");
    assertThat(MachineRecord.of(new Entry("machine/m1", before, 1, 1)).machine().kept())
        .isEqualTo(Resources.UNKNOWN);
    assertThat(json).doesNotContain("hostname", "architecture");
    Machine named = machine.withHost("node1", "x86_64");
    String newer = new MachineRecord(named, Duration.ZERO).json();
    assertThat(MachineRecord.of(new Entry("machine/m1", newer, 1, 1)).machine()).isEqualTo(named);
  }

  @Test
  void anEntryOfAGlobalUnitSaysHowMuchMoreIsPromised() {
    var entry = new ScheduleRecord(new Incarnation("i"), "s", "h", TargetState.LAUNCHED, 3);
    var more = entry.withOvercommit(new Overcommit(1.5, 2));

    assertThat(ScheduleRecord.of(stored(more.json()))).isEqualTo(more);
    assertThat(entry.json()).doesNotContain("overcommit");
  }

  @Test
  void whatMachinesJoinWithIsReadAsItWasWritten() {
    var authority = new AuthorityRecord("a certificate\n", "its key, sealed", "ab");
    String older = "{\"format\":1,\"certificate\":\"c\",\"key\":\"its key\"}";
    var request = new KeyRequestRecord("ab", "a public key", Instant.EPOCH);
    var token =
        new TokenRecord(
            Role.SERVER,
            "ab".repeat(32),
            Instant.MAX,
            Instant.EPOCH,
            "certificate CN=ops",
            "cd".repeat(32),
            "m1",
            2);
    var identity =
        new IdentityRecord(Role.AGENT, "ef".repeat(32), "1a2b", Instant.EPOCH, "5a1f03c2");
    IdentityRecord removed = identity.removed(Instant.MAX, "user root");

    AuthorityRecord introduced =
        authority.introducing(
            new AuthorityRecord("another", "its key", "ab"),
            "between",
            Instant.EPOCH,
            "root",
            false);
    for (AuthorityRecord record :
        List.of(
            authority,
            introduced,
            introduced.signing(Instant.MAX).finishing(),
            introduced.withoutServer(List.of("ab", "cd"), Instant.EPOCH, Instant.MAX).rotated())) {
      assertThat(AuthorityRecord.of(stored(record.json()))).isEqualTo(record);
    }
    Instant later = Instant.EPOCH.plusSeconds(1);
    assertThat(
            authority
                .withoutServer(List.of("ab"), Instant.EPOCH, Instant.EPOCH)
                .withoutServer(List.of("cd"), later, Instant.MAX)
                .removedServers())
        .as("what has ended is forgotten")
        .containsExactly(Map.entry("cd", Instant.MAX));
    assertThat(introduced.signing(Instant.MAX).json()).doesNotContain("its key, sealed");
    assertThat(introduced.signing(Instant.MAX).rotated())
        .isEqualTo(new AuthorityRecord("another", "its key", "ab"));
    assertThat(introduced.toString()).doesNotContain("its key");
    assertThat(TokenRecord.of(stored(token.json()))).isEqualTo(token);
    assertThat(TokenRecord.of(stored(token.usedBy("m1").json())).usedBy()).containsExactly("m1");
    var trust = new IdentityRecord.Trust("ab".repeat(32), List.of("ab", "cd"), Instant.EPOCH);
    for (IdentityRecord record :
        List.of(identity, removed, removed.readmitted(Instant.EPOCH), identity.trusting(trust))) {
      assertThat(IdentityRecord.of(stored(record.json()))).isEqualTo(record);
    }
    assertThat(authority.toString()).doesNotContain("its key");
    assertThat(AuthorityRecord.of(stored(older)).isSealed()).isFalse();
    assertThat(AuthorityRecord.of(stored(older)).json()).isEqualTo(older.replace(":1,", ":1,"));
    assertThat(KeyRequestRecord.of(stored(request.json()))).isEqualTo(request);
    assertThat(KeyRequestRecord.of(stored(request.answered("k", "s").json())).answer())
        .isEqualTo("s");
  }

  @Test
  void aMegabyteOfTextIsReadAsItWasWritten() {
    var file = new FileRecord("x" + "\ud83d\ude00\n\t\"\\".repeat(170_000));
    assertThat(FileRecord.of(stored(file.json()))).isEqualTo(file);
    assertThat(FileRecord.of(stored(new FileRecord("").json())).text()).isEmpty();
  }

  @Test
  void fieldsOfANewerVersionSurviveAChange() {
    String more =
        ",\"n\":12345678901234567890,\"d\":1.50"
            + ",\"none\":null,\"o\":{\"l\":[1,{}],\"t\":\"\u00fc\"}}";

    var changed = SettingsRecord.of(stored(SETTINGS + more)).withMetadata("a", "b");

    assertThat(changed.json())
        .isEqualTo(SETTINGS.replace("\"metadata\":{}", "\"metadata\":{\"a\":\"b\"}") + more);
  }

  @Test
  void settingsGoOnTopOfWhatTheMachineSays() {
    var settings =
        SettingsRecord.NONE
            .withMetadata("gone", "x")
            .withoutMetadata("gone")
            .withoutMetadata("back")
            .withMetadata("back", "2")
            .withMetadata("new", "3")
            .withCordoned(true);

    assertThat(settings.applyTo(Map.of("gone", "0", "back", "0", "own", "1")))
        .isEqualTo(Map.of("own", "1", "back", "2", "new", "3"));
    assertThat(settings.cordoned()).isTrue();
  }
}

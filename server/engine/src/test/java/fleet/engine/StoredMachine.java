package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.ReportRecord;
import fleet.registry.records.ScheduleRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** A machine that speaks through the store, as a test tells it. */
final class StoredMachine {

  private static final SystemdState RUNNING =
      new SystemdState("loaded", "active", "running", "success", "abc", 0, Instant.EPOCH);

  private final ScriptedStore store;
  private final Registry registry;
  private final String id;
  private final String bootId;

  StoredMachine(ScriptedStore store, Registry registry, String id) {
    this(store, registry, id, "boot");
  }

  StoredMachine(ScriptedStore store, Registry registry, String id, String bootId) {
    this.bootId = bootId;
    this.store = store;
    this.registry = registry;
    this.id = id;
  }

  String id() {
    return id;
  }

  StoredMachine present(Map<String, String> metadata, Isolation isolation) {
    return present(metadata, isolation, Resources.UNKNOWN);
  }

  StoredMachine present(Map<String, String> metadata, Isolation isolation, Resources total) {
    var machine = new Machine(id, bootId, "10.0.0.1", metadata, "test", isolation, total);
    put(Keys.machine(id), new MachineRecord(machine, Duration.ZERO).json());
    return this;
  }

  /** Its lease is over: the machine and all it said go at once. */
  void silent() {
    var transaction = Transaction.when();
    registry.read(Keys.states(id)).entries().forEach(entry -> transaction.delete(entry.key()));
    commit(transaction.delete(Keys.machine(id)).build());
  }

  /** Waits for the unit's entry in this machine's schedule. */
  Entry awaitTarget(UnitName unit, TargetState target) throws Exception {
    String key = Keys.schedule(id, unit);
    return Objects.requireNonNull(
        store
            .await(
                unit + " " + target.text() + " on " + id,
                entries -> {
                  Entry entry = entries.get(key);
                  return entry != null && ScheduleRecord.of(entry).target() == target;
                })
            .get(key));
  }

  /** Waits until this machine is told to start the unit with that content. */
  Entry awaitContent(UnitName unit, String hash) throws Exception {
    String key = Keys.schedule(id, unit);
    return Objects.requireNonNull(
        store
            .await(
                unit + " with content " + hash + " on " + id,
                entries -> {
                  Entry entry = entries.get(key);
                  return entry != null
                      && ScheduleRecord.of(entry).target() == TargetState.LAUNCHED
                      && ScheduleRecord.of(entry).hash().equals(hash);
                })
            .get(key));
  }

  /** Waits until this machine is told to start a global unit with that content. */
  Entry awaitGlobal(UnitName unit, String hash) throws Exception {
    String key = Keys.global(unit);
    return Objects.requireNonNull(
        store
            .await(
                unit + " with content " + hash + " on " + id,
                entries -> {
                  Entry entry = entries.get(key);
                  return entry != null && ScheduleRecord.of(entry).on(id).hash().equals(hash);
                })
            .get(key));
  }

  /** Waits until this machine is told to make that start of a global unit. */
  Entry awaitGlobalStart(UnitName unit, long counter) throws Exception {
    String key = Keys.global(unit);
    return Objects.requireNonNull(
        store
            .await(
                "start " + counter + " of " + unit + " on " + id,
                entries -> {
                  Entry entry = entries.get(key);
                  return entry != null
                      && ScheduleRecord.of(entry).on(id).restartCounter() == counter;
                })
            .get(key));
  }

  /** Waits for the unit's entry in this machine's schedule, whatever it asks. */
  Entry awaitAny(UnitName unit) throws Exception {
    String key = Keys.schedule(id, unit);
    return Objects.requireNonNull(
        store.await(unit + " on " + id, entries -> entries.containsKey(key)).get(key));
  }

  void awaitNothingOf(UnitName unit) throws Exception {
    var _ =
        store.await(
            unit + " gone from " + id, entries -> !entries.containsKey(Keys.schedule(id, unit)));
  }

  void running(Entry entry) {
    launched(entry, RUNNING);
  }

  void activating(Entry entry) {
    launched(entry, systemd("activating", "start", "success"));
  }

  /** It runs after systemd has started it again so many times. */
  void restarted(Entry entry, long times) {
    launched(
        entry,
        new SystemdState("loaded", "active", "running", "success", "abc", times, Instant.EPOCH));
  }

  void failed(Entry entry) {
    launched(entry, systemd("failed", "failed", "exit-code"));
  }

  void ended(Entry entry) {
    launched(entry, systemd("inactive", "dead", "success"));
  }

  private static SystemdState systemd(String active, String sub, String result) {
    return new SystemdState("loaded", active, sub, result, "abc", 0, Instant.EPOCH);
  }

  private void launched(Entry entry, SystemdState systemd) {
    ScheduleRecord record = ScheduleRecord.of(entry).on(id);
    report(
        new AgentReport.Stated(
            new UnitState(
                Keys.unitOf(entry.key()),
                id,
                record.incarnation(),
                record.hash(),
                DesiredState.LAUNCHED,
                record.restartCounter(),
                systemd,
                "")));
  }

  void gone(Entry entry) {
    gone(entry, false);
  }

  /** It is rid of a unit that had run to its end before it was told to stop it. */
  void goneAfterItsEnd(Entry entry) {
    gone(entry, true);
  }

  private void gone(Entry entry, boolean ended) {
    report(
        new AgentReport.Gone(
            Keys.unitOf(entry.key()),
            ScheduleRecord.of(entry).incarnation(),
            entry.modified(),
            ended));
  }

  void refused(Entry entry, String why) {
    report(
        new AgentReport.Refused(
            Keys.unitOf(entry.key()),
            ScheduleRecord.of(entry).on(id).incarnation(),
            entry.modified(),
            why));
  }

  void report(AgentReport report) {
    put(Keys.state(id, report.unit()), new ReportRecord(report).json());
  }

  void withdraw(UnitName unit) {
    commit(Transaction.when().delete(Keys.state(id, unit)).build());
  }

  private void put(String key, String value) {
    commit(Transaction.when().put(key, value).build());
  }

  private void commit(Transaction transaction) {
    assertThat(registry.commit(transaction)).isInstanceOf(Outcome.Committed.class);
  }
}

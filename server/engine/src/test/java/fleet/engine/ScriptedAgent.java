package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.AgentCoordination;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A machine whose agent does just what a test tells it. */
final class ScriptedAgent implements ScheduleFollower, AutoCloseable {

  private static final SystemdState RUNNING =
      new SystemdState("loaded", "active", "running", "success", "abc", 0, Instant.EPOCH);

  private static final SystemdState ENDED =
      new SystemdState("loaded", "inactive", "dead", "success", "abc", 0, Instant.EPOCH);

  private final Map<UnitName, ScheduleEntry> schedule = new HashMap<>();
  private final Set<UnitName> everTold = new HashSet<>();
  private boolean greeted;
  private final AgentCoordination.Session session;
  private final String machine;

  ScriptedAgent(AgentCoordination coordination, String machine, Map<String, String> metadata) {
    this(coordination, machine, "boot", metadata);
  }

  ScriptedAgent(
      AgentCoordination coordination, String machine, String bootId, Map<String, String> metadata) {
    this.machine = machine;
    this.session =
        coordination.join(
            new Machine(machine, bootId, "10.0.0.1", metadata, "test"),
            this,
            _ -> {
              throw new IllegalStateException("nobody asked");
            });
  }

  @Override
  public synchronized void snapshot(
      Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
    schedule.clear();
    entries.forEach(this::take);
    greeted = true;
    notifyAll();
  }

  @Override
  public void acknowledged(Duration ago) {}

  @Override
  public synchronized void delta(
      Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> leftAlone) {
    changed.forEach(this::take);
    removed.forEach(schedule::remove);
    notifyAll();
  }

  private void take(ScheduleEntry entry) {
    schedule.put(entry.unit(), entry);
    everTold.add(entry.unit());
  }

  /** Waits for its first schedule. */
  synchronized void awaitGreeting() throws Exception {
    Await.notified(this, () -> greeted, () -> machine + " has been told nothing");
  }

  /** Whether it was ever to have the unit. */
  synchronized boolean wasToldOf(UnitName unit) {
    return everTold.contains(unit);
  }

  ScheduleEntry awaitTarget(UnitName unit, TargetState target) throws Exception {
    return await(unit, entry -> entry.filter(e -> e.target() == target).isPresent()).orElseThrow();
  }

  ScheduleEntry awaitAny(UnitName unit) throws Exception {
    return await(unit, Optional::isPresent).orElseThrow();
  }

  void awaitNothingOf(UnitName unit) throws Exception {
    assertThat(await(unit, Optional::isEmpty)).isEmpty();
  }

  synchronized Optional<ScheduleEntry> await(
      UnitName unit, Predicate<Optional<ScheduleEntry>> condition) throws Exception {
    Await.notified(
        this,
        () -> condition.test(Optional.ofNullable(schedule.get(unit))),
        () -> unit + " is " + schedule.get(unit) + " on " + machine);
    return Optional.ofNullable(schedule.get(unit));
  }

  synchronized int scheduled() {
    return schedule.size();
  }

  void reportRunning(ScheduleEntry entry) {
    report(entry, DesiredState.LAUNCHED, entry.restartCounter(), RUNNING);
  }

  void reportEnded(ScheduleEntry entry) {
    report(entry, DesiredState.LAUNCHED, entry.restartCounter(), ENDED);
  }

  void reportLoaded(ScheduleEntry entry) {
    report(entry, DesiredState.LOADED, 0, SystemdState.DEAD);
  }

  private void report(
      ScheduleEntry entry, DesiredState performed, long restartCounter, SystemdState systemd) {
    report(
        new AgentReport.Stated(
            new UnitState(
                entry.unit(),
                machine,
                entry.incarnation(),
                entry.file().hash(),
                performed,
                restartCounter,
                systemd,
                "")));
  }

  /** It is rid of the unit, which its entry does not ask of it. */
  void reportRemoved(ScheduleEntry entry) {
    report(new AgentReport.Gone(entry.unit(), entry.incarnation(), 0));
  }

  void reportGone(ScheduleEntry entry) {
    report(new AgentReport.Gone(entry.unit(), entry.incarnation(), entry.revision()));
  }

  void report(AgentReport report) {
    session.report(List.of(report));
  }

  /** Goes for good, with none of its units running any more. */
  void leave() {
    session.leave(true);
  }

  @Override
  public void close() {
    session.close();
  }
}

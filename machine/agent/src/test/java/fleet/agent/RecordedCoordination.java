package fleet.agent;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An engine that only hands out what a test tells it, and keeps what the agent reports. */
final class RecordedCoordination implements AgentCoordination {

  private final List<AgentReport> reports = new ArrayList<>();
  private final Map<UnitName, UnitState> states = new HashMap<>();
  private @Nullable ScheduleFollower follower;
  private @Nullable Machine machine;
  private Set<UnitName> leftAlone = Set.of();
  private boolean left;
  private boolean leftEmptied;

  @Override
  public synchronized Session join(
      Machine joining, ScheduleFollower scheduleFollower, Answerer answerer) {
    machine = joining;
    follower = scheduleFollower;
    return new Session() {
      @Override
      public void report(List<AgentReport> told) {
        take(told);
      }

      @Override
      public void present(Machine changed) {}

      @Override
      public void leave(boolean emptied) {
        left(emptied);
      }

      @Override
      public void close() {}
    };
  }

  private synchronized void take(List<AgentReport> told) {
    for (AgentReport report : told) {
      reports.add(report);
      if (report instanceof AgentReport.Stated stated) {
        states.put(report.unit(), stated.state());
      } else {
        states.remove(report.unit());
      }
    }
    notifyAll();
  }

  private synchronized void left(boolean emptied) {
    left = true;
    leftEmptied = emptied;
  }

  /** Whether the machine left, and said that nothing runs there any more. */
  synchronized boolean isLeftEmptied() {
    return leftEmptied;
  }

  synchronized boolean isLeft() {
    return left;
  }

  /** All reports about a unit, in their order. */
  synchronized List<AgentReport> reports(UnitName unit) {
    return reports.stream().filter(report -> report.unit().equals(unit)).toList();
  }

  synchronized void acknowledge(Duration ago) {
    Objects.requireNonNull(follower).acknowledged(ago);
  }

  synchronized void schedule(Collection<ScheduleEntry> entries) {
    Objects.requireNonNull(follower).snapshot(Objects.requireNonNull(machine), entries, leftAlone);
  }

  /** With the next schedule. */
  synchronized void maintain(Instant until) {
    machine = Objects.requireNonNull(machine).withMaintenance(Optional.of(until));
  }

  /** With the next that it tells. */
  synchronized void leaveAlone(UnitName... units) {
    leftAlone = Set.of(units);
  }

  synchronized void change(ScheduleEntry... entries) {
    Objects.requireNonNull(follower).delta(List.of(entries), Set.of(), leftAlone);
  }

  synchronized void remove(UnitName unit) {
    Objects.requireNonNull(follower).delta(List.of(), Set.of(unit), leftAlone);
  }

  /** Whether the last reported state of a unit meets a condition. */
  synchronized boolean isTold(UnitName unit, Predicate<UnitState> condition) {
    return Optional.ofNullable(states.get(unit)).filter(condition).isPresent();
  }

  /** Waits until the last reported state of a unit meets a condition. */
  synchronized UnitState awaitState(UnitName unit, Predicate<UnitState> condition)
      throws Exception {
    await(() -> isTold(unit, condition), unit);
    return Objects.requireNonNull(states.get(unit));
  }

  synchronized <T extends AgentReport> T awaitReport(UnitName unit, Class<T> kind)
      throws Exception {
    await(() -> find(unit, kind).isPresent(), unit);
    return find(unit, kind).orElseThrow();
  }

  /** Waits until the last that is told of a unit is that it has gone. */
  synchronized void awaitGone(UnitName unit) throws Exception {
    await(() -> find(unit, AgentReport.class).orElse(null) instanceof AgentReport.Gone, unit);
  }

  /** Waits until the last report about a unit answers the entry that asks to stop it. */
  synchronized AgentReport.Gone awaitStopped(ScheduleEntry entry) throws Exception {
    await(() -> answerTo(entry).isPresent(), entry.unit());
    return answerTo(entry).orElseThrow();
  }

  private Optional<AgentReport.Gone> answerTo(ScheduleEntry entry) {
    return find(entry.unit(), AgentReport.class)
        .filter(AgentReport.Gone.class::isInstance)
        .map(AgentReport.Gone.class::cast)
        .filter(gone -> gone.revision() == entry.revision());
  }

  private <T extends AgentReport> Optional<T> find(UnitName unit, Class<T> kind) {
    return reports.stream()
        .filter(report -> report.unit().equals(unit))
        .filter(kind::isInstance)
        .map(kind::cast)
        .reduce((_, last) -> last);
  }

  private void await(BooleanSupplier condition, UnitName unit) throws Exception {
    Await.notified(this, condition, () -> unit + ": " + states.get(unit) + "; " + reports);
  }
}

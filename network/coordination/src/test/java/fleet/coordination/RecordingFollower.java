package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps what a machine hears. */
public final class RecordingFollower implements ScheduleFollower {

  private final Map<UnitName, ScheduleEntry> schedule = new TreeMap<>();
  private final List<String> heard = new ArrayList<>();
  private @Nullable Machine machine;
  private Set<UnitName> leftAlone = Set.of();
  private int acknowledgements;

  @Override
  public synchronized void snapshot(
      Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> alone) {
    leftAlone = alone;
    machine = seen;
    schedule.clear();
    entries.forEach(entry -> schedule.put(entry.unit(), entry));
    note("snapshot");
  }

  @Override
  public synchronized void delta(
      Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> alone) {
    leftAlone = alone;
    changed.forEach(entry -> schedule.put(entry.unit(), entry));
    schedule.keySet().removeAll(removed);
    note("delta");
  }

  @Override
  public synchronized void acknowledged(Duration ago) {
    acknowledgements++;
    notifyAll();
  }

  private void note(String what) {
    heard.add(what);
    notifyAll();
  }

  public synchronized @Nullable Machine machine() {
    return machine;
  }

  public synchronized Map<UnitName, ScheduleEntry> schedule() {
    return new TreeMap<>(schedule);
  }

  public synchronized Optional<ScheduleEntry> entry(UnitName unit) {
    return Optional.ofNullable(schedule.get(unit));
  }

  public synchronized Set<UnitName> leftAlone() {
    return leftAlone;
  }

  /** The calls of the follower, without acknowledgements. */
  public synchronized List<String> heard() {
    return List.copyOf(heard);
  }

  public synchronized int acknowledgements() {
    return acknowledgements;
  }

  /** Waits for a condition on what was heard. */
  public synchronized void await(BooleanSupplier condition) throws InterruptedException {
    Await.notified(this, condition, () -> "heard " + heard + ", schedule " + schedule.keySet());
  }

  public void awaitEntry(UnitName unit) throws InterruptedException {
    await(() -> schedule.containsKey(unit));
  }

  public void awaitTarget(UnitName unit, TargetState target) throws InterruptedException {
    await(() -> entry(unit).filter(entry -> entry.target() == target).isPresent());
  }

  public void awaitNothingOf(UnitName unit) throws InterruptedException {
    await(() -> !schedule.containsKey(unit));
  }
}

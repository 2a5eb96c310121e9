package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.fail;

import fleet.core.state.SystemdState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Keeps what it hears, and lets tests wait for it. */
final class RecordingListener implements Systemd.Listener {

  private final List<Change> changes = new ArrayList<>();
  private final List<String> links = new ArrayList<>();

  @Override
  public synchronized void changed(UnitName unit, SystemdState state) {
    changes.add(new Change(unit, state));
    notifyAll();
  }

  @Override
  public synchronized void reconnected() {
    links.add("reconnected");
    notifyAll();
  }

  @Override
  public synchronized void disconnected(String why) {
    links.add("disconnected");
    notifyAll();
  }

  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  synchronized List<SystemdState> changesOf(UnitName unit) {
    return changes.stream().filter(c -> c.unit().equals(unit)).map(Change::state).toList();
  }

  synchronized List<String> links() {
    return List.copyOf(links);
  }

  /** Waits until the latest that was heard of a unit is as wanted. */
  SystemdState await(UnitName unit, Predicate<SystemdState> wanted) {
    return await(
        () -> {
          List<SystemdState> states = changesOf(unit);
          return !states.isEmpty() && wanted.test(states.getLast());
        },
        () -> changesOf(unit).getLast());
  }

  /** Waits until a unit was as wanted, also if it was so for a moment only. */
  void awaitOnce(UnitName unit, Predicate<SystemdState> wanted) {
    await(() -> changesOf(unit).stream().anyMatch(wanted), () -> true);
  }

  void awaitReconnected(int times) {
    await(() -> links().stream().filter("reconnected"::equals).count() >= times, () -> true);
  }

  private synchronized <T> T await(BooleanSupplier wanted, Supplier<T> result) {
    try {
      Await.notified(this, wanted, () -> changes + " " + links);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted");
    }
    return result.get();
  }

  record Change(UnitName unit, SystemdState state) {}
}

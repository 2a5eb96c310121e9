package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.core.machine.Isolation;
import fleet.core.machine.Maintenance;
import fleet.engine.state.ClusterState;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.SettingsRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends maintenance windows whose time is over, and those of machines that stop their units by
 * themselves when their fleetd is away: the leader takes them out of the settings of their
 * machines, and everything else follows from that change. One timer, for the next end. A write that
 * fails is tried again. Owned by the state thread.
 */
final class MaintenanceWindows {

  private static final Logger log = LoggerFactory.getLogger(MaintenanceWindows.class);

  private final ClusterState cluster;
  private final LeaderWrites writes;
  private final EventLoop loop;
  private final Clock clock;

  /** The machines whose windows are being ended. */
  private final Set<String> ending = new HashSet<>();

  /** When the timer runs out, in the loop's time. */
  private OptionalLong alarm = OptionalLong.empty();

  MaintenanceWindows(ClusterState cluster, LeaderWrites writes, EventLoop loop, Clock clock) {
    this.cluster = cluster;
    this.writes = writes;
    this.loop = loop;
    this.clock = clock;
  }

  /** Ends those that are over, and sets the timer for the next. */
  void look() {
    Instant now = clock.instant();
    for (Map.Entry<String, Maintenance> one : cluster.machines().inMaintenance().entrySet()) {
      Maintenance window = one.getValue();
      if (!window.isOver(now) && !stopsUnits(one.getKey())) {
        wakeAfter(Duration.between(now, window.until()));
      } else if (ending.add(one.getKey())) {
        end(one.getKey());
      }
    }
  }

  /** Its units would run nowhere if its fleetd went, as they would stay with it. */
  private boolean stopsUnits(String machine) {
    return cluster
        .machines()
        .of(machine)
        .filter(there -> there.isolation() == Isolation.STOP)
        .isPresent();
  }

  private void wakeAfter(Duration left) {
    long at = loop.nanoTime() + left.toNanos();
    if (alarm.isPresent() && at - alarm.getAsLong() >= 0) {
      return;
    }
    alarm = OptionalLong.of(at);
    loop.postAfter(
        left,
        () -> {
          if (alarm.equals(OptionalLong.of(at))) {
            alarm = OptionalLong.empty();
          }
          look();
        });
  }

  /** It is read once more: somebody may have moved the end meanwhile. */
  private void end(String machine) {
    boolean stops = stopsUnits(machine);
    writes.write(
        "engine-maintenance",
        () -> writes.read(Keys.settings(machine)).flatMap(entry -> ended(machine, stops, entry)),
        outcome -> ended(machine, outcome),
        e -> {
          log.warn("cannot end the maintenance of machine {}: {}", machine, e.getMessage());
          writes.later(() -> free(machine));
        });
  }

  private Optional<Transaction> ended(String machine, boolean stops, Entry entry) {
    SettingsRecord settings = SettingsRecord.of(entry);
    if (settings
        .maintenance()
        .filter(window -> stops || window.isOver(clock.instant()))
        .isEmpty()) {
      return Optional.empty();
    }
    String why = stops ? "the machine has on_isolation=stop" : "its time is over";
    var command = new CommandRecord(machine, CommandRecord.END_MAINTENANCE, why, "");
    return Optional.of(
        writes
            .fenced()
            .unmodified(entry)
            .put(entry.key(), settings.withMaintenance(Optional.empty()).json())
            .put(Keys.command(machine), command.json())
            .build());
  }

  /** A write comes back through the watch; one that was refused is tried again until it is over. */
  private void ended(String machine, Optional<Outcome> outcome) {
    if (outcome.filter(Outcome.Committed.class::isInstance).isPresent()) {
      log.info("the maintenance of machine {} is over", machine);
    }
    writes.later(() -> free(machine));
  }

  private void free(String machine) {
    ending.remove(machine);
    look();
  }
}

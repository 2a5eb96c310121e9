package fleet.fleetctl.wait;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineDirectory;
import fleet.fleetctl.output.Output;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reports units that have left their machine, until they have arrived at the next one. For one
 * thread.
 */
final class RelocationTracker {

  private final FleetClient client;
  private final Output output;
  private final FailureReport failures;
  private final MachineDirectory machines;
  private final BiConsumer<String, String> say;
  private final Set<String> settled = new HashSet<>();
  private boolean allWell = true;

  /**
   * No unit has left yet.
   *
   * @param say gets the result for a unit
   */
  RelocationTracker(
      FleetClient client,
      Output output,
      MachineDirectory machines,
      BiConsumer<String, String> say) {
    this.client = client;
    this.output = output;
    this.failures = new FailureReport(client, output);
    this.machines = machines;
    this.say = say;
  }

  /** Whether the result of a unit was reported. */
  boolean isSettled(String unit) {
    return settled.contains(unit);
  }

  /** The unit is back, and leaves again; returns whether its result had been reported. */
  boolean isBack(String unit) {
    return settled.remove(unit);
  }

  /** Whether no unit has failed on its new machine. */
  boolean areAllWell() {
    return allWell;
  }

  /**
   * Looks for units that have left. Units that have arrived are reported before the others, which
   * may have waited for them.
   *
   * @param first told of each before what became of it is said
   * @return what those wait for that are not there yet
   */
  Map<String, String> look(List<String> gone, Consumer<String> first) throws FleetException {
    Map<String, String> pending = new LinkedHashMap<>();
    if (gone.isEmpty()) {
      return pending;
    }
    List<UnitSnapshot> snapshots = UnitSnapshot.of(client, gone);
    for (int i = 0; i < gone.size(); i++) {
      String unit = gone.get(i);
      switch (judge(snapshots.get(i))) {
        case Verdict.Reached reached -> {
          first.accept(unit);
          settle(unit, reached.announcement());
        }
        case Verdict.Failed failed -> {
          first.accept(unit);
          fail(unit, failed);
        }
        case Verdict.FailedOnSome some -> {
          first.accept(unit);
          fail(unit, some.failures().getFirst());
        }
        case Verdict.Pending waits -> pending.put(unit, waits.progress().line(machines::of));
        case Verdict.Unsure unsure -> pending.put(unit, unsure.progress().line(machines::of));
      }
    }
    pending.keySet().forEach(first);
    return pending;
  }

  private static Verdict judge(UnitSnapshot snapshot) {
    if (snapshot.unit().isEmpty()) {
      return nowhere("was destroyed");
    }
    return switch (snapshot.unit().get().desiredState()) {
      case "inactive" -> nowhere("was unloaded");
      case "loaded" -> new LoadedGoal().judge(snapshot);
      default -> new ActiveGoal().judge(snapshot);
    };
  }

  private static Verdict nowhere(String state) {
    return new Verdict.Reached(new Verdict.Announcement(state, ""), "");
  }

  private void settle(String unit, Verdict.Announcement reached) {
    settled.add(unit);
    String to = reached.machine();
    say.accept(unit, reached.state() + (to.isEmpty() ? "" : " on " + machines.of(to)));
  }

  private void fail(String unit, Verdict.Failed failed) {
    settled.add(unit);
    allWell = false;
    output.clearStatus();
    failures.tell(unit, failed.why().line(machines::of), failed.machine());
  }
}

package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.client.MachineNames;
import fleet.ctl.client.Units;
import fleet.ctl.output.Output;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Tells what becomes of units that have left their machine, until they are where they go. For one
 * thread.
 */
final class Arrivals {

  private final FleetClient client;
  private final Output output;
  private final FailureReport failures;
  private final boolean full;
  private final BiConsumer<String, String> say;
  private final Set<String> settled = new HashSet<>();
  private MachineNames machines = new MachineNames(List.of());
  private boolean allWell = true;

  /**
   * Nobody has left yet.
   *
   * @param full whether ids of machines are shown whole
   * @param say is told of a unit what has become of it
   */
  Arrivals(FleetClient client, Output output, boolean full, BiConsumer<String, String> say) {
    this.client = client;
    this.output = output;
    this.failures = new FailureReport(client, output);
    this.full = full;
    this.say = say;
  }

  /** Whether it has been told what became of a unit. */
  boolean isSettled(String unit) {
    return settled.contains(unit);
  }

  /** The unit is back, and leaves anew; whether it had been told what became of it. */
  boolean isBack(String unit) {
    return settled.remove(unit);
  }

  /** Whether none has failed where it went. */
  boolean areAllWell() {
    return allWell;
  }

  /**
   * Looks where units are that have left.
   *
   * @param first told of each before what became of it is said
   * @return what those wait for that are not there yet
   */
  Map<String, String> look(List<String> gone, Consumer<String> first) throws FleetException {
    Map<String, String> pending = new LinkedHashMap<>();
    if (gone.isEmpty()) {
      return pending;
    }
    Map<String, UnitEntity> units = client.units(gone);
    Map<String, List<StateEntity>> states = client.statesOf(gone);
    for (String unit : gone) {
      first.accept(unit);
      Sight sight =
          new Sight(Optional.ofNullable(units.get(unit)), states.getOrDefault(unit, List.of()));
      judge(unit, sight).ifPresent(why -> pending.put(unit, why));
    }
    return pending;
  }

  /** What it waits for; empty where it is settled. */
  private Optional<String> judge(String unit, Sight sight) {
    if (sight.unit().isEmpty()) {
      return settle(unit, "was destroyed");
    }
    String desired = Units.desired(sight.unit().get());
    if (desired.equals("inactive")) {
      return settle(unit, "was unloaded");
    }
    Goal goal = desired.equals("loaded") ? new LoadedGoal() : new ActiveGoal();
    return switch (goal.judge(sight)) {
      case Verdict.Reached reached -> {
        String to = reached.announcement().machine();
        yield settle(
            unit, reached.announcement().state() + (to.isEmpty() ? "" : " on " + machineName(to)));
      }
      case Verdict.Failed failed -> {
        settled.add(unit);
        allWell = false;
        output.clearStatus();
        failures.tell(unit, text(failed.why()), failed.machine());
        yield Optional.empty();
      }
      case Verdict.Pending waits -> Optional.of(text(waits.progress()));
      case Verdict.Unsure unsure -> Optional.of(text(unsure.progress()));
    };
  }

  private Optional<String> settle(String unit, String step) {
    settled.add(unit);
    say.accept(unit, step);
    return Optional.empty();
  }

  private String text(Verdict.Progress progress) {
    String on = progress.machine().isEmpty() ? "" : " " + machineName(progress.machine());
    return progress.text() + on + progress.details();
  }

  /** A machine as people know it. */
  String machineName(String id) {
    if (!machines.isKnown(id)) {
      try {
        machines = new MachineNames(client.machines());
      } catch (FleetException e) {
        return MachineNames.shortId(id);
      }
    }
    return machines.of(id, full);
  }
}

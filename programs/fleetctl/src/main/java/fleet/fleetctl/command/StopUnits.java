package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.Goal;
import fleet.fleetctl.wait.InactiveGoal;
import fleet.fleetctl.wait.StoppedGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lowers the state of units, and waits for it: stop and unload. */
final class StopUnits {

  /**
   * A command that brings units down.
   *
   * @param verb such as {@code stop}
   * @param done such as {@code stopped}
   * @param desired the state that it sets
   */
  record Kind(String verb, String done, String desired) {
    static final Kind STOP = new Kind("stop", "stopped", "loaded");
    static final Kind UNLOAD = new Kind("unload", "unloaded", "inactive");
  }

  private final FleetClient client;
  private final Output output;
  private final Waits waits;
  private final Kind kind;

  private sealed interface Asked {

    /** It is in that state already. */
    record Nothing() implements Asked {}

    record Impossible(String why) implements Asked {}

    record Global(String unit, Goal each) implements Asked {}

    record Lowered(String unit, Goal goal) implements Asked {}
  }

  StopUnits(FleetClient client, Output output, Waits waits, Kind kind) {
    this.client = client;
    this.output = output;
    this.waits = waits;
    this.kind = kind;
  }

  int run(List<String> units) {
    List<String> lowered = new ArrayList<>();
    List<WaitTarget> targets = new ArrayList<>();
    boolean whole = true;
    for (Asked asked : Parallel.map(units, this::ask)) {
      switch (asked) {
        case Asked.Nothing nothing -> {}
        case Asked.Impossible impossible -> {
          output.problem(impossible.why());
          whole = false;
        }
        case Asked.Global global -> {
          output.line("Triggered global unit " + global.unit() + " " + kind.verb());
          targets.addAll(waits.everywhere(global.unit(), global.each(), kind.done()));
          lowered.add(global.unit());
        }
        case Asked.Lowered stopped -> {
          targets.add(new WaitTarget(stopped.unit(), stopped.goal()));
          lowered.add(stopped.unit());
        }
      }
    }
    output.flush();
    boolean reached = (lowered.isEmpty() && !whole) || await(targets, lowered);
    return reached && whole ? ExitCode.OK : ExitCode.FAILED;
  }

  private boolean await(List<WaitTarget> targets, List<String> lowered) {
    if (waits.isOff()) {
      for (WaitTarget target : targets) {
        output.line("Triggered unit " + target.unit() + " " + kind.verb());
      }
    } else {
      List<String> reached = waits.await(targets);
      List<String> missed = new ArrayList<>();
      for (WaitTarget target : targets) {
        if (!reached.contains(target.unit())) {
          missed.add(target.unit());
        }
      }
      if (!missed.isEmpty()) {
        output.problem("Failed to " + kind.verb() + " units " + list(missed) + ".");
        return false;
      }
    }
    output.problem("Successfully " + kind.done() + " units " + list(lowered) + ".");
    return true;
  }

  private static String list(List<String> units) {
    return "[" + String.join(" ", units) + "]";
  }

  private Asked ask(String name) {
    try {
      Optional<UnitEntity> unit = client.unit(name);
      return unit.isPresent()
          ? lower(name, unit.get())
          : new Asked.Impossible("Unit " + name + " not found in registry");
    } catch (FleetException e) {
      return new Asked.Impossible(
          "Failed to " + kind.verb() + " unit " + name + ": " + e.getMessage());
    }
  }

  private Asked lower(String name, UnitEntity unit) throws FleetException {
    String desired = unit.desiredState();
    boolean stop = kind.equals(Kind.STOP);
    if (stop && desired.equals("inactive")) {
      return new Asked.Impossible("Unable to stop unit " + name + " in state inactive");
    }
    if (desired.equals(kind.desired())) {
      return new Asked.Nothing();
    }
    List<String> before = stop ? waits.invocations(name) : List.of();
    client.put(UnitReader.desiring(name, kind.desired()));
    Goal goal = stop ? new StoppedGoal(before) : new InactiveGoal();
    return UnitReader.isGlobal(unit) ? new Asked.Global(name, goal) : new Asked.Lowered(name, goal);
  }
}

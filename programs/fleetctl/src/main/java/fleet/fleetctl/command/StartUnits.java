package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.ActiveGoal;
import fleet.fleetctl.wait.StoppedGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.List;

/** Asks for starts and restarts and waits until they are done. */
final class StartUnits {

  private final FleetClient client;
  private final Output output;
  private final Waits waits;

  /** The result of the request for one unit, which tells what is left to do. */
  private sealed interface Asked {

    /** It runs already. */
    record Nothing() implements Asked {}

    record Global(String unit) implements Asked {}

    /** A global unit that is about to run everywhere. */
    record Starting(String unit) implements Asked {}

    record Started(String unit) implements Asked {}

    /** fleet 1.0 knows no restart: the unit must be stopped, and started again after that. */
    record StopFirst(String unit) implements Asked {}

    record Impossible(String why) implements Asked {}
  }

  StartUnits(FleetClient client, Output output, Waits waits) {
    this.client = client;
    this.output = output;
    this.waits = waits;
  }

  /**
   * Starts units that are not running.
   *
   * @param loading further goals to wait for
   */
  int start(List<UnitPreparation> prepared, List<WaitTarget> loading) throws FleetException {
    List<Asked> asked = Parallel.map(prepared, this::askStart);
    RequireOptions.verify(client, output, prepared);
    return finish(asked, loading, "start");
  }

  /** Restarts units that are launched, and starts the others. */
  int restart(List<UnitPreparation> prepared) throws FleetException {
    return finish(Parallel.map(prepared, this::askRestart), List.of(), "restart");
  }

  private Asked askStart(UnitPreparation preparation) throws FleetException {
    String name = preparation.name();
    if (preparation.toPut().isPresent()) {
      return created(preparation);
    }
    UnitEntity unit = preparation.existing().orElseThrow();
    List<String> require = preparation.asked();
    if (!unit.desiredState().equals("launched")) {
      return launch(unit, require);
    }
    if (!require.isEmpty()) {
      // Refused if it asks something else.
      client.put(UnitReader.desiring(name, "launched").withRequire(require));
    }
    List<StateEntity> states = client.statesOf(name);
    if (UnitReader.isGlobal(unit)) {
      if (!anyEnded(states)) {
        return areActive(states) ? new Asked.Nothing() : new Asked.Starting(name);
      }
      return client.startAgain(name)
          ? new Asked.Global(name)
          : new Asked.Impossible(
              "fleet 1.0 cannot start a launched global unit again: stop it first");
    }
    if (isActive(unit, states)) {
      return new Asked.Nothing();
    }
    if (states.isEmpty()) {
      // fleetd decides whether the unit is about to start, or had ended on another machine.
      boolean _ = client.startAgain(name);
      return new Asked.Started(name);
    }
    return !anyEnded(states) || client.startAgain(name)
        ? new Asked.Started(name)
        : new Asked.StopFirst(name);
  }

  private Asked askRestart(UnitPreparation preparation) throws FleetException {
    String name = preparation.name();
    if (preparation.toPut().isPresent()) {
      return created(preparation);
    }
    UnitEntity unit = preparation.existing().orElseThrow();
    return switch (unit.desiredState()) {
      case "launched" -> restartLaunched(unit);
      case "loaded" -> launch(unit, List.of());
      default ->
          new Asked.Impossible(
              "Unable to restart unit " + name + " in state inactive; see: fleetctl start");
    };
  }

  private Asked restartLaunched(UnitEntity unit) throws FleetException {
    String name = unit.name();
    boolean global = UnitReader.isGlobal(unit);
    if (client.restart(name)) {
      return global ? new Asked.Global(name) : new Asked.Started(name);
    }
    return global
        ? new Asked.Impossible("fleet 1.0 cannot restart a global unit: stop it, and start it")
        : new Asked.StopFirst(name);
  }

  private static Asked created(UnitPreparation preparation) {
    String name = preparation.name();
    UnitEntity asCreated = UnitReader.creating(name, preparation.toPut().orElseThrow(), "launched");
    return UnitReader.isGlobal(asCreated) ? new Asked.Global(name) : new Asked.Started(name);
  }

  private Asked launch(UnitEntity unit, List<String> require) throws FleetException {
    String name = unit.name();
    client.put(UnitReader.desiring(name, "launched").withRequire(require));
    return UnitReader.isGlobal(unit) ? new Asked.Global(name) : new Asked.Started(name);
  }

  private static boolean anyEnded(List<StateEntity> states) {
    for (StateEntity state : states) {
      String active = state.systemdActiveState();
      if ("inactive".equals(active) || "failed".equals(active)) {
        return true;
      }
    }
    return false;
  }

  private static boolean areActive(List<StateEntity> states) {
    return !states.isEmpty()
        && states.stream().allMatch(state -> "active".equals(state.systemdActiveState()));
  }

  private static boolean isActive(UnitEntity unit, List<StateEntity> states) {
    for (StateEntity state : states) {
      if (unit.machineID().equals(state.machineID())
          && "active".equals(state.systemdActiveState())) {
        return true;
      }
    }
    return false;
  }

  private int finish(List<Asked> asked, List<WaitTarget> loading, String verb)
      throws FleetException {
    List<String> relaunched = relaunch(asked);
    boolean whole = true;
    List<WaitTarget> targets = new ArrayList<>(loading);
    for (Asked one : asked) {
      switch (one) {
        case Asked.Nothing nothing -> {}
        case Asked.Global global -> {
          output.line("Triggered global unit " + global.unit() + " " + verb);
          targets.addAll(everywhere(global.unit()));
        }
        case Asked.Starting starting -> targets.addAll(everywhere(starting.unit()));
        case Asked.Impossible impossible -> {
          output.problem(impossible.why());
          whole = false;
        }
        case Asked.Started started -> targets.add(active(started.unit()));
        case Asked.StopFirst stopped -> {
          if (relaunched.contains(stopped.unit())) {
            targets.add(active(stopped.unit()));
          } else {
            whole = false;
          }
        }
      }
    }
    output.flush();
    return waits.all(targets, "Triggered unit %s " + verb) && whole ? ExitCode.OK : ExitCode.FAILED;
  }

  private List<WaitTarget> everywhere(String unit) {
    return waits.everywhere(unit, new ActiveGoal(), "launched");
  }

  private static WaitTarget active(String unit) {
    return new WaitTarget(unit, new ActiveGoal());
  }

  /** The restart with daemons of fleet 1.0: a unit must be seen stopped before it is started. */
  private List<String> relaunch(List<Asked> asked) throws FleetException {
    List<WaitTarget> stops = new ArrayList<>();
    for (Asked one : asked) {
      if (one instanceof Asked.StopFirst stop) {
        client.put(UnitReader.desiring(stop.unit(), "loaded"));
        stops.add(new WaitTarget(stop.unit(), new StoppedGoal(List.of())));
      }
    }
    List<String> stopped = waits.await(stops);
    for (String unit : stopped) {
      client.put(UnitReader.desiring(unit, "launched"));
    }
    return stopped;
  }
}

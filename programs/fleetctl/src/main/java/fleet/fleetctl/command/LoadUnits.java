package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.LoadedGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.List;

/** Asks for places for units without starting them. */
final class LoadUnits {

  private final FleetClient client;
  private final Output output;
  private final Waits waits;

  private enum Asked {
    NOTHING,
    LOADING,
    LAUNCHED
  }

  LoadUnits(FleetClient client, Output output, Waits waits) {
    this.client = client;
    this.output = output;
    this.waits = waits;
  }

  /** Asks for places, and returns what is to be waited for. */
  List<WaitTarget> load(List<UnitPreparation> prepared) throws FleetException {
    List<Asked> asked = Parallel.map(prepared, this::ask);
    RequireOptions.verify(client, output, prepared);
    List<WaitTarget> targets = new ArrayList<>();
    for (int i = 0; i < prepared.size(); i++) {
      targets.addAll(tell(prepared.get(i), asked.get(i)));
    }
    output.flush();
    return targets;
  }

  private Asked ask(UnitPreparation preparation) throws FleetException {
    if (preparation.toPut().isPresent()) {
      return Asked.LOADING;
    }
    List<String> require = preparation.asked();
    String desired = preparation.existing().map(UnitEntity::desiredState).orElseThrow();
    boolean hasPlace = preparation.isPlaced();
    if (!hasPlace || !require.isEmpty()) {
      String wanted = hasPlace ? desired : "loaded";
      client.put(UnitReader.desiring(preparation.name(), wanted).withRequire(require));
    }
    return switch (desired) {
      case "loaded" -> Asked.NOTHING;
      case "launched" -> Asked.LAUNCHED;
      default -> Asked.LOADING;
    };
  }

  private List<WaitTarget> tell(UnitPreparation preparation, Asked asked) {
    String name = preparation.name();
    return switch (asked) {
      case NOTHING -> List.of();
      case LAUNCHED -> {
        output.problem("Unit " + name + " is launched and stays so; see: fleetctl stop");
        yield List.of();
      }
      case LOADING -> {
        if (preparation.isGlobal()) {
          output.line("Triggered global unit " + name + " load");
          yield waits.everywhere(name, new LoadedGoal(), "loaded");
        }
        if (waits.isOff()) {
          output.line("Triggered unit " + name + " load");
          yield List.of();
        }
        yield List.of(new WaitTarget(name, new LoadedGoal()));
      }
    };
  }
}

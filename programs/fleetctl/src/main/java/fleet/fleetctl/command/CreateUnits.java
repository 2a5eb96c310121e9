package fleet.fleetctl.command;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitPutClient;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitCreation;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.unit.UnitProblemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates and replaces units, the first part of several commands. */
record CreateUnits(FleetClient client, Output output) {

  /** The first words of a failure. */
  static final String FAILED = "Error creating units: ";

  /**
   * Decides about all units before anything is changed.
   *
   * @param require extra requirements
   */
  List<UnitPreparation> prepare(
      List<UnitArgument> arguments,
      CreateOptions create,
      List<String> replaceable,
      List<String> require)
      throws CommandException {
    try {
      return prepare(arguments, creation(create, replaceable, require));
    } catch (UnitProblemException e) {
      throw CommandException.failed(FAILED + e.getMessage());
    }
  }

  /**
   * The same, with the units that the timers, sockets and paths among them start.
   *
   * @param require extra requirements
   * @param starts whether they are started at once
   */
  TriggeredUnits.Prepared prepareWithTriggered(
      List<UnitArgument> arguments,
      CreateOptions create,
      List<String> replaceable,
      List<String> require,
      boolean starts)
      throws CommandException {
    UnitCreation creation = creation(create, replaceable, require);
    try {
      List<UnitPreparation> named = prepare(arguments, creation);
      return new TriggeredUnits(this::lookUp, creation, output, starts).add(arguments, named);
    } catch (UnitProblemException e) {
      throw CommandException.failed(FAILED + e.getMessage());
    }
  }

  private UnitCreation creation(
      CreateOptions create, List<String> replaceable, List<String> require) {
    return new UnitCreation(
        client, output, create.checks.strict, create.replace, replaceable, require);
  }

  private List<UnitPreparation> prepare(List<UnitArgument> arguments, UnitCreation creation)
      throws UnitProblemException {
    Map<String, UnitEntity> existing = lookUp(names(arguments));
    List<UnitPreparation> prepared = new ArrayList<>();
    for (UnitArgument argument : arguments) {
      prepared.add(creation.prepare(argument, Optional.ofNullable(existing.get(argument.name()))));
    }
    return prepared;
  }

  private static List<String> names(List<UnitArgument> arguments) throws UnitProblemException {
    List<String> names = new ArrayList<>();
    for (UnitArgument argument : arguments) {
      String name = argument.name();
      try {
        names.add(UnitName.of(name).value());
      } catch (InvalidUnitNameException e) {
        throw new UnitProblemException("\"" + name + "\": " + e.getMessage() + argument.hint(), e);
      }
    }
    return names;
  }

  private Map<String, UnitEntity> lookUp(List<String> names) throws UnitProblemException {
    try {
      if (names.size() > 1) {
        return client.units(names);
      }
      Map<String, UnitEntity> found = new HashMap<>();
      for (String name : names) {
        client.unit(name).ifPresent(unit -> found.put(name, unit));
      }
      return found;
    } catch (FleetException e) {
      String first = names.getFirst();
      String more = names.size() == 1 ? "" : " and " + (names.size() - 1) + " more";
      throw new UnitProblemException(
          "error retrieving Unit(" + first + ")" + more + " from Registry: " + e.getMessage(), e);
    }
  }

  /**
   * Creates and replaces the prepared units, in few requests, and prints them. Units that were
   * created before a failure stay.
   *
   * @param desired the state that the units are to have at once
   */
  void put(List<UnitPreparation> prepared, String desired) throws CommandException {
    comment(prepared);
    List<String> failed = new ArrayList<>();
    new UnitPutClient(client)
        .put(
            prepared.stream().filter(one -> one.toPut().isPresent()).toList(),
            one ->
                UnitReader.creating(one.name(), one.toPut().orElseThrow(), desired)
                    .withRequire(one.asked()),
            (one, why) -> failed.add("failed creating unit " + one.name() + ": " + why))
        .forEach(one -> output.line("Unit " + one.name() + " inactive"));
    output.flush();
    if (!failed.isEmpty()) {
      String more = failed.size() == 1 ? "" : "; and " + (failed.size() - 1) + " more";
      throw CommandException.failed(FAILED + failed.getFirst() + more);
    }
  }

  /** Gives units the comments of their files; their content and their states stay. */
  private void comment(List<UnitPreparation> prepared) {
    List<UnitPreparation> changed =
        prepared.stream().filter(one -> one.comments().isPresent()).toList();
    Map<UnitPreparation, String> refused = new HashMap<>();
    new UnitPutClient(client)
        .put(
            changed,
            one -> UnitReader.commenting(one.name(), one.comments().orElseThrow(), ""),
            refused::put);
    for (UnitPreparation one : changed) {
      if (refused.containsKey(one)) {
        output.problem("WARNING: unit " + one.name() + " keeps its comments: " + refused.get(one));
      } else {
        output.line(
            "Unit " + one.name() + " has the comments of its file now, and goes on as it is");
      }
    }
  }
}

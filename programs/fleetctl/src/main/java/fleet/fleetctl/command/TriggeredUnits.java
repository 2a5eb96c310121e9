package fleet.fleetctl.command;

import fleet.core.requirements.InvalidRequirementsException;
import fleet.core.requirements.Requirements;
import fleet.core.unit.Dependencies;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitCreation;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.unit.UnitProblemException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the units that timers, sockets and paths start, and keeps each on one machine with the unit
 * that starts it. Asks the cluster and reads files; changes nothing. A unit that has a machine
 * already is not moved. For one command and one thread.
 */
final class TriggeredUnits {

  /** The options of {@code [X-Fleet]} that say on which machines a unit may be. */
  private static final Set<String> PLACES =
      Set.of("MachineID", "MachineMetadata", "MachineOf", "Affinity");

  /** Asks the cluster for units by their names. */
  interface Lookup {
    Map<String, UnitEntity> of(List<String> names) throws UnitProblemException;
  }

  /**
   * Units of a command.
   *
   * @param named those that were named, in that order
   * @param triggered more units, which are to be loaded
   * @param notes what is done beside what was asked for, for people
   */
  record Prepared(
      List<UnitPreparation> named, List<UnitPreparation> triggered, List<String> notes) {

    /** All units, in the order in which they are best placed. */
    List<UnitPreparation> all() {
      List<UnitPreparation> all = new ArrayList<>(triggered);
      all.addAll(named);
      return all;
    }

    void tell(Output output) {
      notes.forEach(output::line);
    }
  }

  /** A unit that starts another one. */
  private record Trigger(UnitArgument argument, UnitName unit, UnitName triggered) {}

  private final Lookup lookup;
  private final UnitCreation creation;
  private final Output output;
  private final boolean starts;
  private final Map<UnitName, UnitPreparation> prepared = new LinkedHashMap<>();
  private final Set<UnitName> named = new LinkedHashSet<>();
  private final Set<UnitName> toLoad = new LinkedHashSet<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param starts whether the units are started at once, which systemd refuses without the units
   *     that they start
   */
  TriggeredUnits(Lookup lookup, UnitCreation creation, Output output, boolean starts) {
    this.lookup = lookup;
    this.creation = creation;
    this.output = output;
    this.starts = starts;
  }

  /**
   * The units of a command, and those that they start. A unit of a directory or of standard input
   * that another one starts is loaded, as nobody named it.
   */
  Prepared add(List<UnitArgument> arguments, List<UnitPreparation> units)
      throws UnitProblemException {
    units.forEach(unit -> prepared.put(unit.unitName(), unit));
    arguments.stream()
        .filter(argument -> !argument.isCollected())
        .forEach(argument -> named.add(UnitName.of(argument.name())));
    List<UnitArgument> added = arguments;
    while (!added.isEmpty()) {
      List<Trigger> triggers = triggers(added);
      added = find(triggers);
      for (Trigger trigger : triggers) {
        if (prepared.containsKey(trigger.triggered())) {
          join(trigger);
        }
      }
    }
    return new Prepared(
        units.stream()
            .map(UnitPreparation::unitName)
            .filter(unit -> !toLoad.contains(unit))
            .map(this::of)
            .toList(),
        toLoad.stream().map(this::of).toList(),
        notes);
  }

  /** The preparation of a unit that has one. */
  private UnitPreparation of(UnitName unit) {
    return Optional.ofNullable(prepared.get(unit)).orElseThrow();
  }

  private List<Trigger> triggers(List<UnitArgument> arguments) {
    List<Trigger> triggers = new ArrayList<>();
    for (UnitArgument argument : arguments) {
      UnitPreparation unit = of(UnitName.of(argument.name()));
      UnitName name = unit.unitName();
      Dependencies.triggered(name, unit.file())
          .filter(triggered -> !triggered.equals(name))
          .ifPresent(triggered -> triggers.add(new Trigger(argument, name, triggered)));
    }
    return triggers;
  }

  // ---- what there is

  /** Prepares the units that these start. */
  private List<UnitArgument> find(List<Trigger> triggers) throws UnitProblemException {
    Map<UnitName, Trigger> wanted = new LinkedHashMap<>();
    for (Trigger trigger : triggers) {
      if (!prepared.containsKey(trigger.triggered())) {
        wanted.putIfAbsent(trigger.triggered(), trigger);
      }
    }
    if (wanted.isEmpty()) {
      return List.of();
    }
    Map<String, UnitEntity> existing =
        lookup.of(wanted.keySet().stream().map(UnitName::value).toList());
    List<UnitArgument> found = new ArrayList<>();
    for (Trigger trigger : wanted.values()) {
      UnitArgument argument = trigger.argument().sibling(trigger.triggered());
      Optional<UnitPreparation> unit =
          creation.prepareIfThere(argument, Optional.ofNullable(existing.get(argument.name())));
      if (unit.isPresent()) {
        prepared.put(trigger.triggered(), unit.get());
        found.add(argument);
      } else {
        checkMissing(trigger);
      }
    }
    return found;
  }

  /** A machine may have the started unit of its own: then its user has loaded the other one. */
  private void checkMissing(Trigger trigger) throws UnitProblemException {
    String missing =
        "it starts %s, which is neither in the cluster nor %s"
            .formatted(trigger.triggered(), trigger.argument().placeOf(trigger.triggered()));
    if (!starts) {
      output.problem(
          "WARN Unit %s: %s: load it too, unless its machine has it already"
              .formatted(trigger.unit(), missing));
    } else if (!of(trigger.unit()).isPlaced()) {
      throw new UnitProblemException(
          "%1$s is not started: %2$s. Nothing was changed. Add that unit, or if the machine has it already, run: fleetctl load %1$s, and start it then"
              .formatted(trigger.unit(), missing));
    }
  }

  // ---- on one machine

  private void join(Trigger trigger) throws UnitProblemException {
    UnitPreparation starting = of(trigger.unit());
    UnitPreparation started = of(trigger.triggered());
    if (starting.isGlobal() != started.isGlobal()) {
      creation.doubt(trigger.unit(), oneIsGlobal(trigger, starting.isGlobal()));
      return;
    }
    if (!named.contains(trigger.triggered()) && !isLaunched(started)) {
      load(trigger, started);
    }
    if (!starting.isGlobal()) {
      keepTogether(starting, started);
    }
  }

  private static boolean isLaunched(UnitPreparation started) {
    return started.existing().map(UnitEntity::desiredState).orElse("").equals("launched");
  }

  private void load(Trigger trigger, UnitPreparation started) {
    if (toLoad.add(trigger.triggered()) && !started.isPlaced()) {
      notes.add(
          "Unit %s is loaded too: %s starts it".formatted(trigger.triggered(), trigger.unit()));
    }
  }

  private static String oneIsGlobal(Trigger trigger, boolean starting) {
    return "it starts %s, and only %s is global: write Global=true in both files, or in none"
        .formatted(trigger.triggered(), starting ? trigger.unit() : trigger.triggered());
  }

  private void keepTogether(UnitPreparation starting, UnitPreparation started)
      throws UnitProblemException {
    remember(starting, started.unitName());
    remember(started, starting.unitName());
    if (starting.isPlaced() && started.isPlaced()) {
      tellApart(starting, started);
    } else if (areApart(starting, started)) {
      creation.doubt(
          starting.unitName(),
          "it starts %s, and Conflicts= keeps the two on different machines"
              .formatted(started.name()));
    } else if (!areBound(starting, started)) {
      if (starting.isPlaced()) {
        bind(started, starting);
      } else {
        share(starting, started);
        bind(starting, started);
      }
    }
  }

  /**
   * The unit that is started is placed first, as systemd starts no timer or socket without it: so
   * it goes where the other one has to be.
   */
  private void share(UnitPreparation starting, UnitPreparation started)
      throws UnitProblemException {
    List<String> places =
        starting.file().options().stream()
            .filter(option -> option.section().equals("X-Fleet") && PLACES.contains(option.name()))
            .map(option -> option.name() + "=" + option.value())
            .toList();
    if (places.isEmpty() || started.isPlaced() || !asksNothing(started)) {
      return;
    }
    List<String> asked =
        Stream.concat(started.require().stream(), places.stream()).distinct().toList();
    try {
      Requirements.validate(started.unitName(), started.file(), asked);
    } catch (InvalidRequirementsException e) {
      creation.doubt(
          started.unitName(),
          "it cannot go where %s has to be: %s".formatted(starting.name(), e.getMessage()));
      return;
    }
    prepared.put(started.unitName(), started.withRequire(asked));
    notes.add(
        "Unit %s goes where %s has to be: %s"
            .formatted(started.name(), starting.name(), String.join(", ", places)));
  }

  /** The requirements of a placed unit cannot change, so this one is among them again. */
  private void remember(UnitPreparation unit, UnitName other) {
    if (!unit.require().isEmpty() && unit.wasKeptBeside(other)) {
      prepared.put(unit.unitName(), unit.besides(other));
    }
  }

  private void tellApart(UnitPreparation starting, UnitPreparation started) {
    String one = machine(starting);
    String other = machine(started);
    if (!one.isEmpty() && !other.isEmpty() && !one.equals(other)) {
      output.problem(
          "WARN Unit %1$s: it is on machine %2$s and starts %3$s, which is on %4$s, and neither is moved: unload %1$s, then start it again"
              .formatted(
                  starting.name(),
                  MachineNames.shortId(one),
                  started.name(),
                  MachineNames.shortId(other)));
    }
  }

  private static String machine(UnitPreparation unit) {
    return unit.existing().map(UnitEntity::machineID).orElse("");
  }

  private static boolean areApart(UnitPreparation starting, UnitPreparation started) {
    return starting.requirements().conflictsWith(started.unitName())
        || started.requirements().conflictsWith(starting.unitName());
  }

  private static boolean areBound(UnitPreparation starting, UnitPreparation started) {
    Requirements one = starting.requirements();
    Requirements other = started.requirements();
    return one.machineOf().contains(started.name())
        || other.machineOf().contains(starting.name())
        || (one.machineId().isPresent() && one.machineId().equals(other.machineId()));
  }

  private static boolean asksNothing(UnitPreparation unit) {
    return unit.machineOf().isEmpty()
        && Requirements.of(unit.unitName(), unit.file()).equals(Requirements.NONE);
  }

  private void bind(UnitPreparation follower, UnitPreparation leader) throws UnitProblemException {
    UnitPreparation bound = follower.besides(leader.unitName());
    try {
      Requirements.validate(bound.unitName(), bound.file(), bound.asked());
    } catch (InvalidRequirementsException e) {
      creation.doubt(
          follower.unitName(),
          "it is not kept on the machine of %s: %s".formatted(leader.name(), e.getMessage()));
      return;
    }
    prepared.put(bound.unitName(), bound);
    notes.add("Unit %s goes to the machine of %s".formatted(follower.name(), leader.name()));
  }
}

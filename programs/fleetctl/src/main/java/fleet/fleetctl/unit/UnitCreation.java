package fleet.fleetctl.unit;

import fleet.core.requirements.InvalidRequirementsException;
import fleet.core.requirements.Requirements;
import fleet.core.requirements.StateWish;
import fleet.core.state.DesiredState;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.LocalFiles.Found;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides for each unit whether it is created, replaced or left as it is, and from which text. Asks
 * the cluster and reads files; changes nothing. For one thread.
 */
public final class UnitCreation {

  private final FleetClient client;
  private final Output output;
  private final boolean strict;
  private final boolean replace;
  private final List<String> replaceable;
  private final List<String> require;
  private final Set<String> told = new HashSet<>();
  private final Map<UnitName, Optional<UnitEntity>> templates = new HashMap<>();

  /**
   * @param strict whether a unit file with a warning is refused
   * @param replace whether a text that differs replaces the one in the cluster
   * @param replaceable the desired states in which the command may replace
   * @param require what the units are to ask beside their files
   */
  public UnitCreation(
      FleetClient client,
      Output output,
      boolean strict,
      boolean replace,
      List<String> replaceable,
      List<String> require) {
    this.client = client;
    this.output = output;
    this.strict = strict;
    this.replace = replace;
    this.replaceable = replaceable;
    this.require = require;
  }

  /**
   * Decides about one unit.
   *
   * @param existing the unit as the cluster has it
   */
  public UnitPreparation prepare(UnitArgument argument, Optional<UnitEntity> existing)
      throws UnitProblemException {
    UnitName name = name(argument);
    warnOfRequire(name);
    UnitPreparation prepared =
        existing.isPresent() ? compare(argument, name, existing.get()) : create(argument, name);
    return prepared.withRequire(require);
  }

  /**
   * Decides about a unit that another one needs. One that is loaded or launched stays as it is.
   *
   * @param existing the unit as the cluster has it
   * @return empty if there is none, neither in the cluster nor as a file
   */
  public Optional<UnitPreparation> prepareIfThere(
      UnitArgument argument, Optional<UnitEntity> existing) throws UnitProblemException {
    UnitName name = name(argument);
    if (existing.isEmpty()) {
      return isThere(argument, name)
          ? Optional.of(create(argument, name).withRequire(require))
          : Optional.empty();
    }
    UnitPreparation kept = UnitPreparation.keep(name.value(), existing.get());
    if (kept.isPlaced()) {
      return Optional.of(kept);
    }
    UnitPreparation prepared =
        comparable(argument, name).isPresent() ? compare(argument, name, existing.get()) : kept;
    return Optional.of(prepared.withRequire(require));
  }

  private boolean isThere(UnitArgument argument, UnitName name) throws UnitProblemException {
    Optional<UnitName> template = name.template();
    return argument.read().isPresent()
        || (template.isPresent()
            && (argument.readTemplate(template.get()).isPresent()
                || stored(template.get()).isPresent()));
  }

  /** Tells what is probably a mistake about a unit; an error if the command is strict. */
  public void doubt(UnitName name, String warning) throws UnitProblemException {
    warn("unit " + name, "Unit " + name, warning);
  }

  /** The content and state of a file that is there, checked as if it were to be submitted. */
  public WantedUnit wanted(UnitArgument argument) throws UnitProblemException {
    UnitName name = name(argument);
    Found local =
        argument
            .read()
            .orElseThrow(() ->
                new UnitProblemException("there is no file " + argument.path() + argument.hint()));
    String place = local.path().toString();
    validate(name, local.file(), place);
    Optional<DesiredState> state =
        StateLine.of(place, local.text()).or(() -> StateWish.of(local.file()));
    return new WantedUnit(name, place, local.file(), state);
  }

  private static UnitName name(UnitArgument argument) throws UnitProblemException {
    try {
      return UnitName.of(argument.name());
    } catch (InvalidUnitNameException e) {
      throw new UnitProblemException(
          "\"" + argument.name() + "\": " + e.getMessage() + argument.hint(), e);
    }
  }

  private UnitPreparation compare(UnitArgument argument, UnitName name, UnitEntity existing)
      throws UnitProblemException {
    Optional<Found> local = replace ? comparable(argument, name) : whatIsComparable(argument, name);
    if (local.isEmpty()) {
      if (replace) {
        throw new UnitProblemException(
            "nothing to replace Unit(" + name + ") with: there is no file " + argument.path());
      }
      return UnitPreparation.keep(name.value(), existing);
    }
    boolean same = local.get().file().hash().equals(UnitReader.file(existing).hash());
    if (same) {
      return keep(local.get(), name, existing);
    }
    if (!replace) {
      warnOfDifference(argument, name, local.get());
      return UnitPreparation.keep(name.value(), existing);
    }
    return replaceWith(local.get(), name, existing);
  }

  /** The content is the same; with --replace, the unit gets the comments of the local file. */
  private UnitPreparation keep(Found local, UnitName name, UnitEntity existing)
      throws UnitProblemException {
    boolean otherComments = replace && !local.file().text().equals(text(name));
    if (replace && !otherComments) {
      output.line("Found same Unit(" + name + ") in Registry, nothing to do");
    }
    warn(name, local.file(), local.path().toString());
    UnitPreparation kept = UnitPreparation.keep(name.value(), existing);
    return otherComments ? kept.withComments(local.file()) : kept;
  }

  private String text(UnitName name) throws UnitProblemException {
    return read(name).map(UnitReader::file).map(UnitFile::text).orElse("");
  }

  /** A unit with its text as it was typed. */
  private Optional<UnitEntity> read(UnitName name) throws UnitProblemException {
    try {
      return client.unitWithText(name.value());
    } catch (FleetException e) {
      throw new UnitProblemException(
          "error retrieving Unit(" + name + ") from Registry: " + e.getMessage(), e);
    }
  }

  private UnitPreparation replaceWith(Found local, UnitName name, UnitEntity existing)
      throws UnitProblemException {
    String desired = existing.desiredState();
    if (!replaceable.contains(desired)) {
      output.problem(
          "Warning: can not replace Unit("
              + name
              + ") in state '"
              + desired
              + "', use the appropriate command: fleetctl start --replace");
      return UnitPreparation.keep(name.value(), existing);
    }
    validate(name, local.file(), local.path().toString());
    return new UnitPreparation(name.value(), Optional.of(existing), Optional.of(local.file()));
  }

  private void warnOfDifference(UnitArgument argument, UnitName name, Found local) {
    String kind = local.path().equals(argument.path()) ? "unit file " : "template unit file ";
    output.problem(
        "WARNING: Unit "
            + name
            + " in registry differs from local "
            + kind
            + local.path().getFileName()
            // The command that replaces nothing is restart.
            + (replaceable.isEmpty()
                ? "; to replace it: fleetctl start --replace"
                : ". Add --replace to override."));
  }

  private UnitPreparation create(UnitArgument argument, UnitName name) throws UnitProblemException {
    Optional<Found> local = argument.read();
    if (local.isPresent()) {
      return creating(name, local.get().file(), local.get().path().toString());
    }
    Optional<UnitName> template = name.template();
    if (argument.isBesideUnits()) {
      throw new UnitProblemException(
          argument.path().resolveSibling(name.withoutSuffix())
              + " is no unit file: its name ends in no type of unit");
    }
    if (template.isEmpty()) {
      throw new UnitProblemException(
          "unable to find Unit("
              + name
              + ") in Registry or on filesystem: no "
              + argument.path()
              + argument.hint());
    }
    return fromTemplate(argument, name, template.get());
  }

  private UnitPreparation fromTemplate(UnitArgument argument, UnitName name, UnitName template)
      throws UnitProblemException {
    Optional<UnitEntity> stored = stored(template);
    Optional<Found> local = argument.readTemplate(template);
    if (stored.isPresent()) {
      UnitFile file = UnitReader.file(stored.get());
      if (local.isPresent() && !local.get().file().hash().equals(file.hash())) {
        warnOfDifference(argument, template, local.get());
      }
      return creating(name, file, "template " + template);
    }
    if (local.isPresent()) {
      return creating(name, local.get().file(), local.get().path().toString());
    }
    throw new UnitProblemException(
        "failed getting Unit("
            + name
            + ") from template: unable to find template Unit("
            + template
            + ") in Registry or on filesystem");
  }

  /** Requested once for all instances. */
  private Optional<UnitEntity> stored(UnitName template) throws UnitProblemException {
    Optional<UnitEntity> known = templates.get(template);
    if (known == null) {
      known = read(template);
      templates.put(template, known);
    }
    return known;
  }

  private UnitPreparation creating(UnitName name, UnitFile file, String where)
      throws UnitProblemException {
    validate(name, file, where);
    return new UnitPreparation(name.value(), Optional.empty(), Optional.of(file));
  }

  private void validate(UnitName name, UnitFile file, String where) throws UnitProblemException {
    if (file.options().isEmpty()) {
      throw new UnitProblemException(
          where + " is empty: a unit file needs at least one option, below a [Section]");
    }
    try {
      Requirements.validate(name, file);
    } catch (InvalidRequirementsException e) {
      throw new UnitProblemException(where + ": " + e.getMessage(), e);
    }
    warn(name, file, where);
  }

  private void warn(UnitName name, UnitFile file, String where) throws UnitProblemException {
    if (!name.type().canBeStarted()) {
      warn(where, "Unit " + name, "systemd starts no " + name.type().suffix() + " from a file");
    }
    for (String warning : Requirements.warnings(name, file)) {
      warn(where, "Unit " + name, warning);
    }
  }

  private void warn(String where, String whose, String warning) throws UnitProblemException {
    if (strict) {
      throw new UnitProblemException(where + ": " + warning + " (--strict)");
    }
    output.problem("WARN " + whose + ": " + warning);
  }

  /** Checked once for all units. */
  private void warnOfRequire(UnitName name) throws UnitProblemException {
    for (String warning : Requirements.warnings(name, require)) {
      if (told.add(warning)) {
        warn("--require", "--require", warning);
      }
    }
  }

  /** The local text to compare with, if one that cannot be read is none. */
  private static Optional<Found> whatIsComparable(UnitArgument argument, UnitName name) {
    try {
      return comparable(argument, name);
    } catch (UnitProblemException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<Found> comparable(UnitArgument argument, UnitName name)
      throws UnitProblemException {
    Optional<Found> local = argument.read();
    return local.isPresent() || name.template().isEmpty()
        ? local
        : argument.readTemplate(name.template().get());
  }
}

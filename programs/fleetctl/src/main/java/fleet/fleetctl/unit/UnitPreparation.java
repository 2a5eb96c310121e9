package fleet.fleetctl.unit;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The preparation of one unit before the command itself.
 *
 * @param existing as the cluster has it; empty if it has none
 * @param toPut the text to create it from or to replace it with; empty if it stays as it is
 * @param require what it is to ask of machines beside its file, each {@code Option=Value}
 * @param machineOf the units on whose machine the command keeps it
 * @param comments the text whose comments it is to have, if its content stays as it is
 */
public record UnitPreparation(
    String name,
    Optional<UnitEntity> existing,
    Optional<UnitFile> toPut,
    List<String> require,
    List<UnitName> machineOf,
    Optional<UnitFile> comments) {

  public UnitPreparation(String name, Optional<UnitEntity> existing, Optional<UnitFile> toPut) {
    this(name, existing, toPut, List.of(), List.of(), Optional.empty());
  }

  static UnitPreparation keep(String name, UnitEntity existing) {
    return new UnitPreparation(name, Optional.of(existing), Optional.empty());
  }

  /** One whose content stays as it is, and that gets the comments of a file. */
  UnitPreparation withComments(UnitFile file) {
    return new UnitPreparation(name, existing, toPut, require, machineOf, Optional.of(file));
  }

  public UnitPreparation withRequire(List<String> asked) {
    return new UnitPreparation(name, existing, toPut, asked, machineOf, comments);
  }

  /** The same unit, to be kept on the machine of another. */
  public UnitPreparation besides(UnitName other) {
    List<UnitName> others = new ArrayList<>(machineOf);
    others.add(other);
    return new UnitPreparation(name, existing, toPut, require, others, comments);
  }

  public UnitName unitName() {
    return UnitName.of(name);
  }

  /** The text that it has after the command. */
  public UnitFile file() {
    return toPut.orElseGet(() -> UnitReader.file(existing.orElseThrow()));
  }

  public boolean isGlobal() {
    return toPut
        .map(file -> UnitReader.isGlobal(name, file))
        .orElseGet(() -> UnitReader.isGlobal(existing.orElseThrow()));
  }

  /**
   * Whether it is a launched global unit, which the cluster changes on one machine after the other.
   * fleet 1.0 has no incarnations, and no operations.
   */
  public boolean isChangedInTurns() {
    return existing
        .filter(unit -> !unit.incarnation().isEmpty() && unit.desiredState().equals("launched"))
        .filter(UnitReader::isGlobal)
        .isPresent();
  }

  /** Whether it was loaded or launched before the command. */
  public boolean isPlaced() {
    String desired = existing.map(UnitEntity::desiredState).orElse("inactive");
    return desired.equals("loaded") || desired.equals("launched");
  }

  /** The requirements that the command adds to those of the file. */
  public List<String> asked() {
    List<String> asked = new ArrayList<>(require);
    machineOf.forEach(other -> asked.add(machineOf(other)));
    return asked;
  }

  /** All that it asks of machines after the command. */
  public Requirements requirements() {
    List<String> all = new ArrayList<>(asked());
    if (isPlaced()) {
      all.addAll(existing.orElseThrow().require());
    }
    return Requirements.of(unitName(), file(), all);
  }

  /** Whether an earlier command keeps it on the machine of another unit. */
  public boolean wasKeptBeside(UnitName other) {
    return isPlaced() && existing.orElseThrow().require().contains(machineOf(other));
  }

  private static String machineOf(UnitName other) {
    return "MachineOf=" + other;
  }
}

package fleet.core.requirements;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a unit asks of a machine, out of its {@code [X-Fleet]} section, specifiers expanded.
 *
 * @param machineId full id or its first eight characters
 * @param machineOf names of units that must be on the same machine; each must hold
 * @param metadata any of the values of a key, for every key
 * @param conflicts units that must not be on the same machine
 * @param replaces units that make room for this one
 * @param global whether it runs on every machine that fits
 */
public record Requirements(
    Optional<String> machineId,
    List<String> machineOf,
    Map<String, Set<String>> metadata,
    List<Glob> conflicts,
    List<Glob> replaces,
    boolean global) {

  /** Reads the requirements of a unit; keys that fleet does not know have no effect. */
  public static Requirements of(UnitName name, UnitFile file) {
    throw new UnsupportedOperationException(name + " " + file);
  }

  /**
   * Checks what can be said without knowing the cluster: options that exclude each other.
   *
   * @throws InvalidRequirementsException with the first rule that is broken
   */
  public static void validate(UnitFile file) throws InvalidRequirementsException {
    throw new UnsupportedOperationException(file.toString());
  }

  /** Keys of the {@code [X-Fleet]} section without a meaning, for warnings. */
  public static List<String> unknownKeys(UnitFile file) {
    throw new UnsupportedOperationException(file.toString());
  }
}

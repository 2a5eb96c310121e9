package fleet.cluster;

import fleet.core.state.DesiredState;
import fleet.core.text.SingleLine;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;

/**
 * Asks for a unit to be created, replaced or changed.
 *
 * @param file empty to leave the content of a unit as it is; if it has the same content, a typed
 *     one gives the unit its comments
 * @param desired empty for inactive if it is created or replaced
 * @param require what it is to ask of machines beside its file until it is unloaded, each {@code
 *     Option=Value} of {@code [X-Fleet]}; empty to leave that as it is. Goes with the desired
 *     states loaded and launched only
 * @param set that it is to be in, an empty name for none; empty to leave it where it is
 */
public record UnitPut(
    UnitName name,
    Optional<UnitFile> file,
    Optional<DesiredState> desired,
    List<String> require,
    Optional<String> set) {

  public UnitPut {
    require = List.copyOf(require);
    set.filter(one -> !one.isEmpty()).ifPresent(SetName::valid);
    if (name.isReserved()) {
      throw new IllegalArgumentException(
          "unit name \"%s\" is that of a part of fleet: choose another".formatted(name));
    }
    for (String asked : require) {
      // The requirement is written into files of lines on the unit's machine.
      if (!SingleLine.isOne(asked)) {
        throw new IllegalArgumentException(
            "extra requirement \"%s\": no control characters, please"
                .formatted(SingleLine.of(asked)));
      }
    }
  }

  /** Keeps what the unit asks beside its file. */
  public UnitPut(UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired) {
    this(name, file, desired, List.of());
  }

  /** Leaves it in its set, or in none. */
  public UnitPut(
      UnitName name,
      Optional<UnitFile> file,
      Optional<DesiredState> desired,
      List<String> require) {
    this(name, file, desired, require, Optional.empty());
  }
}

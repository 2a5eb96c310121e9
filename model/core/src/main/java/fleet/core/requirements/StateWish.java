package fleet.core.requirements;

import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The option {@code State=} of {@code [X-Fleet]}: the state that a file wants for its unit when
 * somebody applies it. Nothing else reads it: a unit that is stopped stays so. Pure.
 */
public final class StateWish {

  static final String OPTION = "State";

  private StateWish() {}

  /** The state that a valid file wants; the last one counts. */
  public static Optional<DesiredState> of(UnitFile file) {
    return new FleetSection(file, UnaryOperator.identity())
        .last(OPTION)
        .flatMap(DesiredState::ofText);
  }

  /** The same file without the option: what the unit itself consists of. */
  public static UnitFile without(UnitFile file) {
    return new UnitFile(file.options().stream().filter(Predicate.not(StateWish::isWish)).toList());
  }

  private static boolean isWish(UnitOption option) {
    return FleetSection.isPartOf(option) && option.name().equals(OPTION);
  }
}

package fleet.core.state;

import java.util.Locale;
import java.util.Optional;

/** The state that the user wants of a unit; as current state, how far fleet has got with it. */
public enum DesiredState {
  /** Submitted: kept in the registry, on no machine. */
  INACTIVE,
  /** On a machine, its file known to systemd there, not started. */
  LOADED,
  /** On a machine and started once. */
  LAUNCHED;

  /** As the API writes it, such as {@code launched}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DesiredState> ofText(String text) {
    for (DesiredState state : values()) {
      if (state.text().equals(text)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }
}

package fleet.core.state;

import fleet.core.text.Keyword;
import java.util.Optional;

/** The state that the user wants of a unit; as current state, how far fleet has got with it. */
public enum DesiredState implements Keyword {
  /** Submitted: kept in the registry, on no machine. */
  INACTIVE,
  /** On a machine, its file known to systemd there, not started. */
  LOADED,
  /** On a machine and started once. */
  LAUNCHED;

  public static Optional<DesiredState> ofText(String text) {
    return Keyword.of(text, values());
  }
}

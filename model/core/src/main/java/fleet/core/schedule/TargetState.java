package fleet.core.schedule;

import fleet.core.text.Keyword;
import java.util.Optional;

/** The state that a machine is to bring a unit of its schedule to. */
public enum TargetState implements Keyword {
  LOADED,
  LAUNCHED,
  /** Stop it, remove it and report it gone. */
  STOPPING;

  /** The state of that text; empty if only a later version knows it. */
  public static Optional<TargetState> ofText(String text) {
    return Keyword.of(text, values());
  }
}

package fleet.core.schedule;

import java.util.Locale;

/** The state that a machine is to bring a unit of its schedule to. */
public enum TargetState {
  LOADED,
  LAUNCHED,
  /** Stop it, remove it and report it gone. */
  STOPPING;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}

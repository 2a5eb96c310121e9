package fleet.core.schedule;

import java.util.Locale;

/** What a machine is to do with a unit of its schedule. */
public enum Target {
  LOADED,
  LAUNCHED,
  /** Stop it, remove it and report it gone. */
  STOPPING;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package fleet.core.schedule;

import fleet.core.text.Keyword;

/** The state that a machine is to bring a unit of its schedule to. */
public enum TargetState implements Keyword {
  LOADED,
  LAUNCHED,
  /** Stop it, remove it and report it gone. */
  STOPPING
}

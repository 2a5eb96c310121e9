package fleet.scheduler;

/** What makes one machine better than another among those that pass all filters. */
public interface Strategy {

  /** The lower, the better. */
  long score(Demand demand, MachineView machine);

  /**
   * Whether a machine is the better the less load it has, and nothing else matters: then the first
   * one that passes is the best, and no other is looked at.
   */
  default boolean isByLoadAlone() {
    return false;
  }

  /** Why this machine was the best, for people. */
  String reason(Demand demand, MachineView machine);
}

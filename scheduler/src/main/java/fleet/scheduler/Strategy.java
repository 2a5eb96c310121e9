package fleet.scheduler;

/** What makes one machine better than another among those that pass all filters. */
public interface Strategy {

  /** The lower, the better. */
  long score(Demand demand, MachineView machine);

  /** Why this machine was the best, for people. */
  String reason(Demand demand, MachineView machine);
}

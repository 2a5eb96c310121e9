package fleet.scheduler;

import java.util.Optional;

/** A rule that a machine must meet to run a unit. Stateless, and safe for use by many threads. */
public interface Filter {

  /**
   * Judges one machine, be the unit on it already or not.
   *
   * @return why the machine may not run the unit; empty where it may
   */
  Optional<Verdict> check(Demand demand, MachineView machine);
}

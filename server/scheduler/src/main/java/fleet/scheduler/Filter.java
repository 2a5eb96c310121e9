package fleet.scheduler;

import java.util.Optional;

/** A rule that a machine must meet to run a unit. Stateless, and safe for use by many threads. */
public interface Filter {

  /**
   * Judges one machine, be the unit on it already or not.
   *
   * @return why the machine may not run the unit; empty if it may
   */
  Optional<Rejection> check(Demand demand, MachineInfo machine);

  /**
   * The same without the reason; called for many machines in each choice. An override may be
   * faster, with the same result.
   */
  default boolean admits(Demand demand, MachineInfo machine) {
    return check(demand, machine).isEmpty();
  }

  /**
   * Whether a unit has to leave a machine that does not meet the rule any more. Such a filter
   * depends on the unit and the machine alone: it is not asked again until something changes on
   * that machine.
   */
  default boolean binds() {
    return false;
  }

  /**
   * The change by which a machine would meet this rule, for people: "web@1.service leaves machine
   * m1".
   *
   * @param rejection what {@link #check} said
   */
  default String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine " + machine.id() + " no longer " + rejection.text();
  }
}

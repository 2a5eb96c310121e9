package fleet.scheduler;

import java.util.Optional;
import java.util.Set;

/** {@code Strategy=} names one that there is. */
final class StrategyFilter implements Filter {

  static final String RULE = "Strategy";

  private final Set<String> known;

  /**
   * @param known the names of all strategies, sorted
   */
  StrategyFilter(Set<String> known) {
    this.known = known;
  }

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return demand
        .requirements()
        .strategy()
        .filter(name -> !known.contains(name))
        .map(name ->
            new Rejection(
                RULE,
                "knows no strategy",
                "know no strategy",
                name + " (there are " + String.join(", ", known) + ")"));
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "Strategy= names one of " + String.join(", ", known);
  }
}

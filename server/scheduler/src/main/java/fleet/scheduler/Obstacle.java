package fleet.scheduler;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A rule that some machines do not meet for a unit.
 *
 * @param rule such as {@code Conflicts}
 * @param verdicts by the machine's id, sorted; never empty
 */
public record Obstacle(String rule, Map<String, Rejection> verdicts) {

  private static final Set<String> ROOM =
      Set.of(
          ResourcesFilter.RULE,
          PortsFilter.RULE,
          MaxPerMachineFilter.RULE,
          UnitAffinityFilter.RULE);

  /**
   * Such as "2 of 5 machines lack region=eu".
   *
   * @param machines how many there are
   */
  public String inWords(int machines) {
    return Explanation.of(machines, List.of(this));
  }

  /** Whether it is a foreign unit of the same name, which does not go away by waiting. */
  public boolean isForeignName() {
    return rule.equals(NameFilter.RULE);
  }

  /** Whether these machines would take the unit, but have not bid for it. */
  boolean isBids() {
    return rule.equals(BidFilter.RULE);
  }

  /** Whether some of these machines have not answered yet. */
  boolean awaitsBids() {
    return isBids() && verdicts.containsValue(BidFilter.SILENT);
  }

  /** Whether it may end with any unit that comes or goes. */
  boolean isRoom() {
    return ROOM.contains(rule);
  }

  /** Whether its subjects are other units. */
  boolean isUnits() {
    return rule.equals(ConflictsFilter.RULE) || rule.equals(ReplacesFilter.RULE);
  }

  /** The subjects of the verdicts on the machines, each once, sorted. */
  List<String> subjects() {
    return verdicts.values().stream().map(Rejection::subject).distinct().sorted().toList();
  }

  String verb() {
    Rejection any = verdicts.values().iterator().next();
    return verdicts.size() == 1 ? any.ofOne() : any.ofMany();
  }
}

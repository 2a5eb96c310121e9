package fleet.scheduler;

import java.util.ArrayList;
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

  /** How many things of one rule are named before the rest is only counted. */
  private static final int SUBJECTS = 3;

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
    return inWords(machines, List.of(this));
  }

  /** Puts into one line what keeps a unit from every machine. */
  static String inWords(int machines, List<Obstacle> obstacles) {
    if (machines == 0) {
      return "no machine is there";
    }
    List<String> parts = new ArrayList<>();
    for (Obstacle obstacle : obstacles) {
      String who = who(machines, obstacle.verdicts().size(), parts.isEmpty());
      parts.add(who + " " + obstacle.verb() + " " + listed(obstacle.subjects()));
    }
    return String.join(", ", parts);
  }

  private static String who(int machines, int concerned, boolean first) {
    if (machines == 1) {
      return "the only machine";
    }
    if (concerned == machines) {
      return "all " + machines + " machines";
    }
    return first ? concerned + " of " + machines + " machines" : Integer.toString(concerned);
  }

  private static String listed(List<String> subjects) {
    int named = Math.min(subjects.size(), SUBJECTS);
    int more = subjects.size() - named;
    String last = more == 0 ? subjects.get(--named) : more + " more";
    return named == 0 ? last : String.join(", ", subjects.subList(0, named)) + " or " + last;
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

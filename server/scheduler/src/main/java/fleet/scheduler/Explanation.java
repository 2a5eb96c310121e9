package fleet.scheduler;

import java.util.ArrayList;
import java.util.List;

/** Puts into one line what keeps a unit from every machine. */
final class Explanation {

  /** How many things of one rule are named before the rest is only counted. */
  private static final int SUBJECTS = 3;

  private Explanation() {}

  static String of(int machines, List<Obstacle> obstacles) {
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
}

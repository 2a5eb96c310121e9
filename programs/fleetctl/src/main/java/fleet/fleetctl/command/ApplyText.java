package fleet.fleetctl.command;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.apply.ApplyStep;
import fleet.fleetctl.apply.ApplyStep.Kind;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.UnifiedDiff;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Shows what an apply would change.
 *
 * @param all whether the output has no limit
 */
record ApplyText(Output output, boolean all) {

  /** More than anybody reads before an answer; a dry run shows all. */
  private static final int MOST_LINES = 1000;

  private static final int MOST_UNITS = 100;

  /** How many names fit the line above a diff. */
  private static final int NAMED = 4;

  void show(ApplyPlan plan) {
    showDiffs(plan.changes());
    Map<String, String> remarks = new LinkedHashMap<>();
    plan.changes().forEach(step -> remarks.put(step.name().value(), remark(step)));
    plan.pruned().forEach(unit -> remarks.put(unit.name(), "destroyed: not in the files"));
    showUnits(remarks);
    output.line(summary(plan));
    output.flush();
  }

  private void showDiffs(List<ApplyStep> changes) {
    List<String> lines = diffs(changes.stream().filter(ApplyText::hasDiff).toList());
    int most = all ? lines.size() : Math.min(MOST_LINES, lines.size());
    // On a pipe as well: somebody decides by it.
    lines.subList(0, most).forEach(line -> output.line(UnifiedDiff.shown(line)));
    if (most < lines.size()) {
      output.line("%d more lines: --dry-run shows them all".formatted(lines.size() - most));
    }
    if (!lines.isEmpty()) {
      output.line("");
    }
  }

  /** Units whose content changes in the same way have one diff, that of the first. */
  private static List<String> diffs(List<ApplyStep> steps) {
    List<String> lines = new ArrayList<>();
    steps.stream()
        .collect(groupingBy(ApplyText::hunks, LinkedHashMap::new, toList()))
        .values()
        .forEach(same -> {
          List<String> diff = diff(same.getFirst());
          if (same.size() > 1 && !diff.isEmpty()) {
            // All units are listed below the diffs.
            lines.add(names(NAMED, same.stream().map(step -> step.name().value()).toList()) + ":");
          }
          lines.addAll(diff);
        });
    return lines;
  }

  /** A diff without the names of the two texts. */
  private static List<String> hunks(ApplyStep step) {
    return diff(step).stream().skip(2).toList();
  }

  private static boolean hasDiff(ApplyStep step) {
    return step.content()
        || step.kind() == Kind.ROLL_OUT
        || step.kind() == Kind.FOLLOW
        || step.hasOtherComments();
  }

  private static List<String> diff(ApplyStep step) {
    String before = step.existing().isPresent() ? step.name() + " (cluster)" : "/dev/null";
    return UnifiedDiff.of(before, step.textBefore(), step.wanted().place(), step.textAfter());
  }

  private void showUnits(Map<String, String> remarks) {
    int most = all ? remarks.size() : Math.min(MOST_UNITS, remarks.size());
    List<String> shown = remarks.keySet().stream().limit(most).toList();
    int width = shown.stream().mapToInt(String::length).max().orElse(0);
    for (String name : shown) {
      output.line(name + " ".repeat(width - name.length() + 2) + remarks.get(name));
    }
    if (most < remarks.size()) {
      output.line("%d more units: --dry-run shows them all".formatted(remarks.size() - most));
    }
  }

  private static String remark(ApplyStep step) {
    return Stream.of(kindRemark(step), setRemark(step))
        .filter(part -> !part.isEmpty())
        .collect(joining(", "));
  }

  private static String setRemark(ApplyStep step) {
    if (step.set().isEmpty()) {
      return "";
    }
    String before = step.existing().map(UnitEntity::set).orElse("");
    if (step.leavesSet()) {
      return "now in no set (was in " + before + ")";
    }
    return (step.changesSet() ? "now " : "")
        + "in set "
        + step.set()
        + (before.isEmpty() ? "" : " (was in " + before + ")");
  }

  private static String kindRemark(ApplyStep step) {
    String to = step.state() == step.before() ? "" : ", now " + step.state().text();
    return switch (step.kind()) {
      case SAME -> "the same";
      case CREATE -> "new, " + step.state().text();
      case PUT -> "new content" + to;
      case ROLL_OUT -> "new content, by a rollout";
      case FOLLOW -> "new content, by the rollout of its template";
      case REPLACE -> "new content, replaced where it runs";
      case ANNOTATE -> step.hasOtherComments() ? "new comments" : "";
      case RAISE -> step.before().text() + to;
      case LOWER -> step.before().text() + to + (step.content() ? ", with new content" : "");
    };
  }

  private static String summary(ApplyPlan plan) {
    List<ApplyStep> changes = plan.changes();
    List<String> counts = new ArrayList<>();
    count(counts, changes.stream().filter(step -> step.kind() == Kind.CREATE).count(), "new");
    count(counts, changes.stream().filter(ApplyText::isChanged).count(), "changed");
    count(counts, changes.stream().filter(step -> step.kind() == Kind.RAISE).count(), "started");
    count(counts, plan.of(Kind.LOWER).size(), "stopped");
    count(counts, plan.pruned().size(), "destroyed");
    count(counts, plan.steps().size() - changes.size(), "the same");
    return units(plan.steps().size() + plan.pruned().size()) + ": " + String.join(", ", counts);
  }

  private static void count(List<String> counts, long number, String what) {
    if (number > 0) {
      counts.add(number + " " + what);
    }
  }

  private static boolean isChanged(ApplyStep step) {
    return switch (step.kind()) {
      case PUT, ROLL_OUT, FOLLOW, REPLACE, ANNOTATE -> true;
      case SAME, CREATE, RAISE, LOWER -> false;
    };
  }

  /** The whole, as a command: "change 2 units and destroy 1 unit". */
  static String change(ApplyPlan plan) {
    List<String> parts = new ArrayList<>();
    if (!plan.changes().isEmpty()) {
      parts.add("change " + units(plan.changes().size()));
    }
    if (!plan.pruned().isEmpty()) {
      parts.add("destroy " + units(plan.pruned().size()));
    }
    return String.join(" and ", parts);
  }

  static String units(int count) {
    return count == 1 ? "1 unit" : count + " units";
  }

  /** The first of some names, with commas between, and how many more there are. */
  static String names(int most, Collection<String> names) {
    int more = names.size() - most;
    return names.stream().limit(most).collect(joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}

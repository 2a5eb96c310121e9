package fleet.fleetctl.command;

import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.apply.ApplyStep;
import fleet.fleetctl.apply.ApplyStep.Way;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.UnifiedDiff;
import java.util.ArrayList;
import java.util.List;

/** Shows what an apply would change. */
final class ApplyText {

  /** More than anybody reads before an answer; a dry run shows all. */
  private static final int MOST_LINES = 1000;

  private static final int MOST_UNITS = 100;

  private final Output output;
  private final boolean all;

  /**
   * Prepares.
   *
   * @param all whether the output has no limit
   */
  ApplyText(Output output, boolean all) {
    this.output = output;
    this.all = all;
  }

  void show(ApplyPlan plan) {
    showDiffs(plan.changes());
    showUnits(plan.changes());
    output.line(summary(plan));
    output.flush();
  }

  private void showDiffs(List<ApplyStep> changes) {
    List<String> lines = new ArrayList<>();
    for (ApplyStep step : changes) {
      if (hasDiff(step)) {
        lines.addAll(diff(step));
      }
    }
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

  private static boolean hasDiff(ApplyStep step) {
    return step.content()
        || step.way() == Way.ROLL_OUT
        || step.way() == Way.FOLLOW
        || step.hasOtherComments();
  }

  private static List<String> diff(ApplyStep step) {
    String before = step.existing().isPresent() ? step.name() + " (cluster)" : "/dev/null";
    return UnifiedDiff.of(before, step.textBefore(), step.wanted().place(), step.textAfter());
  }

  private void showUnits(List<ApplyStep> changes) {
    int most = all ? changes.size() : Math.min(MOST_UNITS, changes.size());
    List<ApplyStep> shown = changes.subList(0, most);
    int width = shown.stream().mapToInt(step -> step.name().value().length()).max().orElse(0);
    for (ApplyStep step : shown) {
      String name = step.name().value();
      output.line(name + " ".repeat(width - name.length() + 2) + remark(step));
    }
    if (most < changes.size()) {
      output.line("%d more units: --dry-run shows them all".formatted(changes.size() - most));
    }
  }

  private static String remark(ApplyStep step) {
    String to = step.state() == step.before() ? "" : ", now " + step.state().text();
    return switch (step.way()) {
      case SAME -> "the same";
      case CREATE -> "new, " + step.state().text();
      case PUT -> "new content" + to;
      case ROLL_OUT -> "new content, by a rollout";
      case FOLLOW -> "new content, by the rollout of its template";
      case REPLACE -> "new content, replaced where it runs";
      case COMMENT -> "new comments";
      case RAISE -> step.before().text() + to;
      case LOWER -> step.before().text() + to + (step.content() ? ", with new content" : "");
    };
  }

  private static String summary(ApplyPlan plan) {
    List<ApplyStep> changes = plan.changes();
    List<String> counts = new ArrayList<>();
    count(counts, changes.stream().filter(step -> step.way() == Way.CREATE).count(), "new");
    count(counts, changes.stream().filter(ApplyText::isChanged).count(), "changed");
    count(counts, changes.stream().filter(step -> step.way() == Way.RAISE).count(), "started");
    count(counts, plan.last().size(), "stopped");
    count(counts, plan.steps().size() - changes.size(), "the same");
    return units(plan.steps().size()) + ": " + String.join(", ", counts);
  }

  private static void count(List<String> counts, long number, String what) {
    if (number > 0) {
      counts.add(number + " " + what);
    }
  }

  private static boolean isChanged(ApplyStep step) {
    return switch (step.way()) {
      case PUT, ROLL_OUT, FOLLOW, REPLACE, COMMENT -> true;
      case SAME, CREATE, RAISE, LOWER -> false;
    };
  }

  static String units(int count) {
    return count == 1 ? "1 unit" : count + " units";
  }
}

package fleet.fleetctl.wait;

import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Failed;
import fleet.fleetctl.wait.Verdict.FailedOnSome;
import fleet.fleetctl.wait.Verdict.Pending;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;
import fleet.fleetctl.wait.Verdict.Unsure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A global unit reaches a goal on each present machine that is to have it. It fails once the
 * outcome is known on all of them. Daemons of fleet 1.0 do not say which machines these are: there,
 * the unit is not waited for.
 *
 * @param each the goal on one machine
 * @param done such as {@code launched}
 */
public record GlobalGoal(Goal each, String done) implements Goal {

  /** fleet 1.0 printed no further line, and scripts may read its lines. */
  private static final Announcement NOTHING = new Announcement("", "");

  @Override
  public String state() {
    return each.state();
  }

  @Override
  public String whenInterrupted(UnitSnapshot last) {
    return "remains to be " + done + " on every machine that fits";
  }

  @Override
  public Verdict judge(UnitSnapshot snapshot) {
    if (snapshot.unit().isEmpty()) {
      return Verdict.failed("was destroyed meanwhile");
    }
    UnitEntity unit = snapshot.unit().get();
    if (unit.incarnation().isEmpty()) {
      return new Reached(NOTHING, "");
    }
    if (!unit.desiredState().equals(each.state())) {
      return Reports.overruled(unit);
    }
    return each instanceof InactiveGoal ? judgeGone(snapshot) : judge(unit, snapshot);
  }

  /** It is to be on no machine. */
  private Verdict judgeGone(UnitSnapshot snapshot) {
    Verdict verdict = each.judge(snapshot);
    return verdict instanceof Reached ? new Reached(NOTHING, "is on no machine any more") : verdict;
  }

  private Verdict judge(UnitEntity unit, UnitSnapshot snapshot) {
    List<Failed> failures = new ArrayList<>();
    List<Progress> pending = new ArrayList<>();
    for (UnitSnapshot one : snapshot.onEach(unit.runsOn())) {
      switch (each.judge(one)) {
        case Reached _ -> {}
        case Failed failed -> failures.add(failed);
        case Pending waiting -> pending.add(waiting.progress());
        case Unsure unsure -> pending.add(unsure.progress());
        case FailedOnSome some -> failures.addAll(some.failures());
      }
    }
    int all = unit.runsOn().size();
    if (!pending.isEmpty()) {
      return Verdict.pending(progress(pending, failures.size(), all));
    }
    if (!unit.waiting().isEmpty()) {
      failures.add(new Failed(Optional.empty(), Progress.of(unit.waiting()), ""));
    }
    return failures.isEmpty() ? new Reached(NOTHING, note(all)) : new FailedOnSome(failures, all);
  }

  private static Progress progress(List<Progress> pending, int failed, int all) {
    Progress first = pending.getFirst();
    String counts =
        "%d of %d machines done%s; "
            .formatted(
                all - pending.size() - failed, all, failed == 0 ? "" : ", " + failed + " failed");
    return new Progress(counts + first.text(), first.machine(), first.details());
  }

  private String note(int machines) {
    return switch (machines) {
      case 0 -> "fits none of the machines that are there";
      case 1 -> "is " + done + " on the one machine that it fits";
      default -> "is " + done + " on all " + machines + " machines that it fits";
    };
  }
}

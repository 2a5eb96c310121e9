package fleet.simulation;

import fleet.agent.mark.Mark;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Units that have run to their end by themselves. The same start is not made a second time on
 * another machine if the leader can know of the end: the machine has told the same leader for long
 * enough.
 */
final class FinishedJobs {

  /** An end counts once it has lasted, and a machine that falls silent may have done so before. */
  private static final Duration TO_BE_KNOWN = Duration.ofSeconds(30);

  /**
   * A unit at rest for so long has ended also for a machine that leaves: leaving takes ten seconds
   * of it, and the disk may have failed for some of them.
   */
  private static final Duration AT_REST = Duration.ofSeconds(20);

  private final Judge judge;
  private final Contacts contacts;
  private final Map<UnitName, End> ends = new HashMap<>();

  private static final class End {
    private final String machine;
    private final Starts.Start start;
    private final long at;
    private boolean known;

    End(String machine, Starts.Start start, long at) {
      this.machine = machine;
      this.start = start;
      this.at = at;
    }
  }

  FinishedJobs(Judge judge, Contacts contacts) {
    this.judge = judge;
    this.contacts = contacts;
  }

  void ended(Copy copy, Starts.Start start) {
    ends.put(copy.unit(), new End(copy.machine(), start, judge.simulation().now()));
  }

  /** Some time has passed. */
  void look() {
    ends.values().forEach(this::look);
  }

  private void look(End end) {
    boolean told =
        contacts.hasHeardFor(end.machine, TO_BE_KNOWN)
            && contacts.hasBeenLedFor(TO_BE_KNOWN)
            && judge.simulation().now() - end.at >= TO_BE_KNOWN.toNanos();
    // A leader that begins while the machine is silent knows nothing of it.
    end.known = told || (end.known && contacts.hasBeenLedFor(TO_BE_KNOWN));
  }

  void starting(Copy copy, Mark mark) {
    End end = ends.remove(copy.unit());
    if (end == null
        || !end.start.equals(Starts.Start.of(mark))
        || copy.machine().equals(end.machine)) {
      return;
    }
    String message =
        "machine %s starts %s, which has ended on machine %s for the same start"
            .formatted(copy.machine(), copy.unit(), end.machine);
    if (end.known || wasThereSince(end)) {
      throw judge.violated(Rule.ENDED_ONCE, message);
    }
  }

  /** Whether the unit was moved from a machine that could say so, by a leader that has heard it. */
  private boolean wasThereSince(End end) {
    Duration since = Duration.ofNanos(judge.simulation().now() - end.at);
    return since.compareTo(AT_REST) >= 0
        && contacts.hasHeardFor(end.machine, since)
        && contacts.hasBeenLedFor(AT_REST);
  }
}

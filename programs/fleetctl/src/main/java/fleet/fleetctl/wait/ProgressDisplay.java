package fleet.fleetctl.wait;

import fleet.fleetctl.output.Output;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Shows the progress of a wait: on a terminal a line that changes, elsewhere a line for each
 * change, and one at least every 30 s. A short wait shows nothing.
 */
final class ProgressDisplay {

  private static final long SECOND = 1_000_000_000L;
  private static final long REPEAT = 30 * SECOND;
  private static final long SUMMARY = 5 * SECOND;

  /** With more units than this, only a summary is told. */
  private static final int DETAILED = 10;

  private final Output output;
  private final long start;
  private final int total;
  private final Map<String, Said> said = new HashMap<>();

  private record Said(String text, long at) {}

  ProgressDisplay(Output output, int total, long now) {
    this.output = output;
    this.total = total;
    this.start = now;
  }

  /**
   * Shows the progress.
   *
   * @param pending the units that are not there yet, in a fixed order
   * @param progress what a unit waits for
   */
  void update(Collection<String> pending, UnaryOperator<String> progress, long now) {
    long grace = output.grace().toNanos();
    if (pending.isEmpty() || now - start < (output.hasStatusLine() ? grace / 4 : grace)) {
      return;
    }
    if (output.hasStatusLine()) {
      output.status(summary(pending, progress) + ", " + seconds(now));
    } else if (total > DETAILED) {
      repeat("", summary(pending, progress), now, SUMMARY);
    } else {
      for (String unit : pending) {
        repeat(unit, unit + ": " + progress.apply(unit), now, 0);
      }
    }
  }

  /** Tells something that is not about one unit. */
  void notice(String text, long now) {
    if (output.hasStatusLine()) {
      output.status(text + ", " + seconds(now));
    } else {
      repeat("notice", text, now, SUMMARY);
    }
  }

  private String summary(Collection<String> pending, UnaryOperator<String> progress) {
    String first = pending.iterator().next();
    String text = first + ": " + progress.apply(first);
    return total == 1 ? text : (total - pending.size()) + " of " + total + " units done; " + text;
  }

  private void repeat(String key, String text, long now, long atLeastApart) {
    Said last = said.get(key);
    boolean changed = last == null || !last.text.equals(text);
    long age = last == null ? Long.MAX_VALUE : now - last.at;
    if (changed ? age >= atLeastApart : age >= REPEAT) {
      said.put(key, new Said(text, now));
      output.problem(text + (changed ? "" : ", " + seconds(now)));
    }
  }

  private String seconds(long now) {
    return (now - start) / SECOND + " s";
  }
}

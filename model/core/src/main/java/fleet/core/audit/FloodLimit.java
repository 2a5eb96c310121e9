package fleet.core.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Limits the entries of a kind within a window: for each source, and in total. The others are
 * counted. Time is passed in. Not safe for use by threads.
 *
 * <p>Kinds are few and fixed. Strangers may invent sources: the number of remembered ones is
 * bounded by the limit of entries.
 */
public final class FloodLimit {

  private final int perSource;
  private final int perKind;
  private final Duration window;
  private final Map<String, Window> windows = new HashMap<>();

  /**
   * Entries that were not let through.
   *
   * @param sources how many senders they have, at least
   */
  public record LeftOut(String kind, long entries, int sources, Duration window) {}

  private static final class Window {
    final long begun;
    final Map<String, Integer> let = new HashMap<>();
    final Set<String> leftOutSources = new HashSet<>();
    int all;
    long leftOut;

    Window(long begun) {
      this.begun = begun;
    }
  }

  /**
   * Nothing was let through yet.
   *
   * @param perSource of one source within a window
   * @param perKind of all sources within a window
   */
  public FloodLimit(int perSource, int perKind, Duration window) {
    this.perSource = perSource;
    this.perKind = perKind;
    this.window = window;
  }

  /**
   * Whether to write an entry; otherwise it is counted.
   *
   * @param nanos now, by any monotonic clock
   */
  public boolean admits(String kind, String source, long nanos) {
    Window open = windows.computeIfAbsent(kind, _ -> new Window(nanos));
    int before = open.let.getOrDefault(source, 0);
    if (before < perSource && open.all < perKind) {
      open.let.put(source, before + 1);
      open.all++;
      return true;
    }
    open.leftOut++;
    if (open.leftOutSources.size() < perKind) {
      open.leftOutSources.add(source);
    }
    return false;
  }

  /** Ends the windows that are over. Returns what was left out in them. */
  public List<LeftOut> ended(long nanos) {
    List<LeftOut> counted = new ArrayList<>();
    Iterator<Map.Entry<String, Window>> each = windows.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Window> kind = each.next();
      Window open = kind.getValue();
      if (nanos - open.begun >= window.toNanos()) {
        each.remove();
        if (open.leftOut > 0) {
          counted.add(new LeftOut(kind.getKey(), open.leftOut, open.leftOutSources.size(), window));
        }
      }
    }
    return counted;
  }

  /** Whether something has been left out that {@link #ended} has not told. */
  public boolean isHoldingBack() {
    return windows.values().stream().anyMatch(open -> open.leftOut > 0);
  }
}

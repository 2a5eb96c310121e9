package fleet.core.machine;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The overcommit factors of a cluster, since not every unit uses what it reserves. Disks and
 * numbers of tasks are never overcommitted.
 *
 * @param cores 1.0 is what there is, 1.5 half as much again
 * @param memory the same for memory
 */
public record Overcommit(double cores, double memory) {

  /** Promises what there is. */
  public static final Overcommit NONE = new Overcommit(1, 1);

  private static final double MOST = 100;
  private static final Pattern TEXT = Pattern.compile("cores=([0-9.E-]+) memory=([0-9.E-]+)");

  /**
   * @throws IllegalArgumentException with what is wrong, for people
   */
  public Overcommit {
    check("cores", cores);
    check("memory", memory);
  }

  private static void check(String what, double factor) {
    if (!(factor > 0 && factor <= MOST)) {
      throw new IllegalArgumentException(
          "overcommit of %s is %s: it must be above 0 and at most 100, where 1 promises what the"
                  .formatted(what, factor)
              + " machines have");
    }
  }

  /** The form that {@link #ofText} reads. */
  public String text() {
    return "cores=" + cores + " memory=" + memory;
  }

  /** Reads what {@link #text} wrote; empty if it is something else. */
  public static Optional<Overcommit> ofText(String text) {
    Matcher found = TEXT.matcher(text);
    try {
      return found.matches()
          ? Optional.of(
              new Overcommit(
                  Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2))))
          : Optional.empty();
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }

  /** Resources of a machine that units may reserve; zero is unknown, and so not limited. */
  public Resources of(Resources total, Resources kept) {
    return new Resources(
        promise(total.cpuMillis(), kept.cpuMillis(), cores),
        promise(total.memory(), kept.memory(), memory),
        promise(total.disk(), kept.disk(), 1),
        promise(total.tasks(), kept.tasks(), 1));
  }

  /** Something is left of what is known, for zero would mean that it is not. */
  private static long promise(long total, long kept, double factor) {
    return total == 0 ? 0 : Math.max(1, (long) ((total - kept) * factor));
  }
}

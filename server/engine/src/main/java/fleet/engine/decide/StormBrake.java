package fleet.engine.decide;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells a storm from the loss of single machines: so many machines vanish at once that the network
 * is the likelier cause. Reads no clock: times are passed in, in monotonic nanoseconds.
 */
public final class StormBrake {

  /**
   * The definition of a storm.
   *
   * @param percent more than this share of the machines must vanish; 100 disables storms
   * @param machines this many must vanish, or half of all, but at least two
   * @param within the time within which they vanish
   * @param pause how long rescheduling is paused unless somebody resumes it
   */
  public record Settings(int percent, int machines, Duration within, Duration pause) {

    /** The usual ones, for machines that may be silent for so long. */
    public static Settings of(Duration agentTtl) {
      return new Settings(20, 3, agentTtl, Duration.ofMinutes(5));
    }
  }

  /**
   * A storm.
   *
   * @param vanished how many machines went
   * @param of how many there were
   */
  public record Storm(int vanished, int of) {}

  private final Settings settings;
  private final Map<String, Long> vanished = new LinkedHashMap<>();

  public StormBrake(Settings settings) {
    this.settings = settings;
  }

  /** A machine has gone without a word. */
  public void vanished(String machine, long now) {
    vanished.remove(machine);
    vanished.put(machine, now);
  }

  /** A machine is back. */
  public void back(String machine) {
    vanished.remove(machine);
  }

  /** Only machines that vanish from now on count. */
  public void reset() {
    vanished.clear();
  }

  /**
   * Whether the machines that vanished lately are a storm.
   *
   * @param present how many machines are present
   * @param awaited machines that may yet come back
   */
  public Optional<Storm> storm(int present, Set<String> awaited, long now) {
    long oldest = now - settings.within().toNanos();
    vanished.values().removeIf(moment -> moment - oldest < 0);
    Set<String> away = new HashSet<>(awaited);
    away.addAll(vanished.keySet());
    return storm(vanished.size(), present + away.size());
  }

  /**
   * Whether it would be a storm if others vanished as well.
   *
   * @param doubtful some of the present machines
   */
  public boolean threatens(Set<String> doubtful, int present, Set<String> awaited, long now) {
    boolean already = storm(present, awaited, now).isPresent();
    Set<String> away = new HashSet<>(awaited);
    away.addAll(vanished.keySet());
    Set<String> gone = new HashSet<>(vanished.keySet());
    gone.addAll(doubtful);
    return already || storm(gone.size(), present + away.size()).isPresent();
  }

  private Optional<Storm> storm(int gone, int all) {
    boolean many = gone >= settings.machines() || (gone > 1 && 2 * gone >= all);
    return many && 100L * gone > (long) settings.percent() * all
        ? Optional.of(new Storm(gone, all))
        : Optional.empty();
  }
}

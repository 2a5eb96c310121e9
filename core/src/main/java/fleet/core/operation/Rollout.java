package fleet.core.operation;

import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A rolling change: the instances of a template get another content a few at a time, or a single
 * unit does, and get back what they had where that does not do well.
 *
 * @param name of the template, or of the single unit
 * @param hash of the content that they get, SHA-1 in hex
 * @param maxUnavailable how many instances of the template may be down at a time, at least 1
 * @param healthy for how long a unit has to be active, without being started again by systemd,
 *     until the next one's turn comes
 * @param paused whether nothing is changed for now
 * @param by who asked for it
 * @param why what brought it to its stage; empty where nothing is to be said
 */
public record Rollout(
    UnitName name,
    String hash,
    int maxUnavailable,
    Duration healthy,
    Stage stage,
    boolean paused,
    String by,
    String why,
    Instant started) {

  /** Where a rollout is. */
  public enum Stage {
    /** Units get the new content. */
    FORWARD,
    /** Units get back what they had. */
    BACK,
    /** All have the new content, and do well with it. */
    DONE,
    /** All have again what they had. */
    UNDONE;

    /** As the store and the API have it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Stage> ofText(String text) {
      return Stream.of(values()).filter(stage -> stage.text().equals(text)).findFirst();
    }

    /** Whether nothing follows any more. */
    public boolean isOver() {
      return this == DONE || this == UNDONE;
    }
  }

  /** Whether it belongs to this rollout how a unit is. */
  public boolean concerns(UnitName unit) {
    return unit.equals(name) || unit.template().filter(name::equals).isPresent();
  }

  public Rollout withStage(Stage next, String because) {
    return new Rollout(name, hash, maxUnavailable, healthy, next, paused, by, because, started);
  }

  public Rollout withPaused(boolean now) {
    return new Rollout(name, hash, maxUnavailable, healthy, stage, now, by, why, started);
  }
}

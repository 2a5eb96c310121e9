package fleet.core.operation;

import fleet.core.text.EnumText;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An operation that moves or changes several units over time, and outlives its command and the
 * leader.
 *
 * @param by who asked for it; empty if it is only thought of
 * @param paused whether no further step begins for now
 * @param reason what brought it to its stage, or what it will not reach; empty for nothing
 * @param maxUnavailable how many instances of a template may be down at a time, at least 1
 */
public record Operation(
    OperationId id,
    String by,
    Instant started,
    Stage stage,
    boolean paused,
    String reason,
    int maxUnavailable) {

  /** The stage of an operation. */
  public enum Stage implements EnumText {
    /** Units move, or get the new content. */
    FORWARD,
    /** Units get back what they had. */
    BACK,
    /** Somebody cancelled it, and units that have left their machines are on their way. */
    STOPPING,
    /** All has been done that could be. */
    DONE,
    /** All have again what they had. */
    UNDONE,
    /** Somebody cancelled it. */
    CANCELLED;

    public static Optional<Stage> ofText(String text) {
      return Stream.of(values()).filter(stage -> stage.text().equals(text)).findFirst();
    }

    /** Whether nothing follows any more. */
    public boolean isOver() {
      return this == DONE || this == UNDONE || this == CANCELLED;
    }
  }

  /** The reason of a rollout that is paused until somebody promotes or reverts it. */
  public static final String CANARIES_HEALTHY = "the canaries are healthy: promote it or undo it";

  /** One that begins. */
  public Operation(OperationId id, String by, Instant started, String reason, int maxUnavailable) {
    this(id, by, started, Stage.FORWARD, false, reason, maxUnavailable);
  }

  /** Whether further steps may begin, be it after a pause. */
  public boolean goesOn() {
    return stage == Stage.FORWARD || stage == Stage.BACK;
  }

  /** Whether its canaries are healthy, and people decide how it goes on. */
  public boolean awaitsPromotion() {
    return paused && stage == Stage.FORWARD && reason.equals(CANARIES_HEALTHY);
  }

  public Operation withStage(Stage next, String because) {
    return new Operation(id, by, started, next, paused, because, maxUnavailable);
  }

  public Operation withPaused(boolean now) {
    return new Operation(id, by, started, stage, now, reason, maxUnavailable);
  }

  public Operation withMaxUnavailable(int most) {
    return new Operation(id, by, started, stage, paused, reason, most);
  }

  /** The same after a request; equal to this one if it is so already. */
  public Operation after(OperationChange change, String who) {
    return switch (change) {
      case PAUSE -> withPaused(stage != Stage.STOPPING);
      case RESUME, PROMOTE -> withPaused(false);
      case REVERT -> turned(Stage.BACK, who + " asked for it");
      case CANCEL ->
          turned(
              id.kind() == OperationId.Kind.REBALANCE ? Stage.STOPPING : Stage.CANCELLED,
              who + " stopped the " + id.kind().text());
    };
  }

  private Operation turned(Stage next, String because) {
    return withPaused(false).withStage(next, stage == next ? reason : because);
  }

  /** The same at its end. */
  public Operation ended() {
    return withStage(stage == Stage.STOPPING ? Stage.CANCELLED : Stage.DONE, reason);
  }
}

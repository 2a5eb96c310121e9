package fleet.engine.decide;

import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Duration;

/**
 * One unit of a rollout, as far as it counts for the next step.
 *
 * @param before names the file that it had when the rollout began
 * @param down whether it should run and does not
 * @param proven whether it has been healthy with the new content for long enough
 */
public record RolloutUnit(
    UnitName name,
    String before,
    Content content,
    Condition condition,
    boolean down,
    boolean proven) {

  /** The file that a unit has. */
  public enum Content {
    NEW,
    BEFORE,
    /**
     * A file that somebody set during the rollout, which takes precedence; or there is no former
     * file.
     */
    ANOTHER
  }

  /** The condition of a unit. */
  public sealed interface Condition {

    /** It need not run, or has run to its end. */
    record Idle(String how) implements Condition {}

    /** It is being placed or started. */
    record Coming(String how) implements Condition {}

    /** No machine fits. */
    record NoPlace(String how, Duration since) implements Condition {}

    /** It is active, and systemd did not have to start it again. */
    record Up(String how, Duration since) implements Condition {}

    /** It is not healthy. */
    record Bad(String how) implements Condition {}

    /** In words that follow the unit's name. */
    String how();

    /**
     * The condition of a unit whose machine has carried out its last start.
     *
     * @param on where that is, to follow a verb; may be empty
     * @param proving whether it must not have been started again by systemd
     */
    static Condition of(UnitState state, String on, boolean proving) {
      if (!state.problem().isEmpty()) {
        return new Bad("was not started" + on + ": " + state.problem());
      }
      var systemd = state.systemd();
      if (systemd.isFailed()) {
        return new Bad("failed" + on + ": " + systemd.result());
      }
      if (systemd.restarts() > 0 && proving) {
        return new Bad(
            "was started again by systemd%s, %d times".formatted(on, systemd.restarts()));
      }
      if (systemd.isActive()) {
        return new Up("is active" + on, Duration.ZERO);
      }
      return systemd.isChanging()
          ? new Coming("is " + systemd.active() + on)
          : new Idle("has ended" + on);
    }
  }
}

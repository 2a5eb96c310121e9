package fleet.engine.decide;

import fleet.core.unit.UnitName;
import java.time.Duration;

/**
 * One unit of a rollout, as far as it counts for the next step.
 *
 * @param before names the file that it had when the rollout began
 * @param down whether it is to run and does not
 * @param proven whether it has done well with the new content for as long as it has to
 */
public record RolloutUnit(
    UnitName name,
    String before,
    Content content,
    Condition condition,
    boolean down,
    boolean proven) {

  /** Which file a unit has. */
  public enum Content {
    NEW,
    BEFORE,
    /** One that somebody gave it while the rollout went on, who knows better; or none to go to. */
    ANOTHER
  }

  /** How a unit is. */
  public sealed interface Condition {

    /** It need not run, or has run to its end. */
    record Idle(String how) implements Condition {}

    /** It is on its way. */
    record Coming(String how) implements Condition {}

    /** No machine fits. */
    record NoPlace(String how, Duration since) implements Condition {}

    /** It is active, and systemd did not have to start it again. */
    record Up(String how, Duration since) implements Condition {}

    /** It does not do well. */
    record Bad(String how) implements Condition {}

    /** In words, said of the unit. */
    String how();
  }
}

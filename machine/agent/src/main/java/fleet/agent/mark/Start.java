package fleet.agent.mark;

import java.util.OptionalLong;

/**
 * A start of a unit that systemd was asked for.
 *
 * @param counter the restart counter of the command that wants it
 * @param answer what systemd said
 * @param invocation of the unit when systemd was asked, in 32 hex digits; empty if it had none
 * @param earlier the counter of the start that stands if systemd did not take this one; empty if
 *     there is none
 */
public record Start(long counter, Answer answer, String invocation, OptionalLong earlier) {

  /** The three ways in which asking systemd for a start can end. */
  public enum Answer {
    /** Unknown: fleetd or the connection ended in between. */
    UNKNOWN,
    TAKEN,
    /** systemd refused it. */
    REFUSED
  }

  /** The same start, answered. */
  Start answered(Answer said) {
    return new Start(counter, said, invocation, earlier);
  }

  /** The counter of the start that systemd took last, as far as is known. */
  OptionalLong standing() {
    return answer == Answer.TAKEN ? OptionalLong.of(counter) : earlier;
  }
}

package fleet.core.state;

import fleet.core.text.SingleLine;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;

/**
 * The state of one unit as its machine reports it.
 *
 * @param machine the machine's id
 * @param incarnation of the content that is on the machine
 * @param hash of the file on the machine, SHA-1 in hex
 * @param performed the progress of the agent: {@link DesiredState#LOADED} once the file is in
 *     place, {@link DesiredState#LAUNCHED} once systemd was asked to start it
 * @param restartCounter of the last start command that the agent carried out; 0 before the first
 * @param problem why systemd would not do what it was asked, in one line; empty when it did
 */
public record UnitState(
    UnitName unit,
    String machine,
    Incarnation incarnation,
    String hash,
    DesiredState performed,
    long restartCounter,
    SystemdState systemd,
    String problem) {

  private static final int LONGEST_HASH = 100;
  private static final int LONGEST_PROBLEM = 2000;

  /** Machines say this of themselves: it is one line, and no book. */
  public UnitState {
    hash = SingleLine.of(hash, LONGEST_HASH);
    problem = SingleLine.of(problem, LONGEST_PROBLEM);
  }

  /**
   * Whether the unit runs, or is about to: also if the last start is still to be carried out.
   *
   * @param asked the restart counter of the last start that was asked for
   */
  public boolean runs(long asked) {
    return systemd.isActive() || systemd.active().equals("activating") || restartCounter < asked;
  }
}

package fleet.core.operation;

import fleet.core.unit.UnitName;

/**
 * Units move from machines that have many to machines that have few.
 *
 * @param within how many units more than the emptiest machine the fullest may have, at least 1
 * @param maxUnavailable how many instances of a template may be down at a time, at least 1
 * @param by who asked for it; empty where it is only thought of
 * @param stoppedBy who asked to stop it; empty where nobody has
 * @param ended whether nothing follows any more
 */
public record Rebalance(
    int within, int maxUnavailable, String by, String stoppedBy, boolean ended) {

  /** One that begins. */
  public Rebalance(int within, int maxUnavailable, String by) {
    this(within, maxUnavailable, by, "", false);
  }

  /** A unit that goes from one machine to another, by their ids. */
  public record Move(UnitName unit, String from, String to) {}

  /** Whether units may still begin to move. */
  public boolean goesOn() {
    return !ended && stoppedBy.isEmpty();
  }

  /** Why a unit moves, for people. */
  public String why() {
    return by.isEmpty() ? "rebalance" : "rebalance, as " + by + " asked";
  }

  public Rebalance stopped(String who) {
    return new Rebalance(within, maxUnavailable, by, who, ended);
  }

  public Rebalance over() {
    return new Rebalance(within, maxUnavailable, by, stoppedBy, true);
  }
}

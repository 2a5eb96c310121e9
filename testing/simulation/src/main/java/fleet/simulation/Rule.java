package fleet.simulation;

/** The rules of a cluster, whatever fails: the invariants of the design and their consequences. */
public enum Rule {
  ONE_PLACEMENT("invariant 1, one placement"),
  ONE_MACHINE("invariant 2, one machine"),
  /** Answers of the API are true: commands are carried out once, or reported to have failed. */
  AS_ACKNOWLEDGED("invariant 3, as acknowledged"),
  /** A start that was asked for is made once a boot, and not again. */
  STARTED_ONCE("invariant 3, started once"),
  /** A unit that has ended is not run a second time elsewhere. */
  ENDED_ONCE("invariant 3, ended once"),
  SETTLES("invariant 5, settles"),
  WITHIN_RESOURCES("invariant 6, within resources"),
  ONLY_AS_DECIDED("invariant 7, only as decided"),
  /** While rescheduling pauses, units of machines that are not there stay with them. */
  PAUSES("pause of rescheduling"),
  /** Operations take down no more of a family than they may. */
  FEW_DOWN("max-unavailable");

  private final String text;

  Rule(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}

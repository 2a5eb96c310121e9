package fleet.core.access;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A kind of request. The role is the least that allows it. */
public enum Action {
  /** Reads units without their text, states, machines, events, settings or metrics. */
  LIST(AccessRole.VIEWER),
  WHY(AccessRole.VIEWER),
  PLAN(AccessRole.VIEWER),
  STATUS(AccessRole.VIEWER),
  JOURNAL(AccessRole.VIEWER),
  /** Reads the text of a unit, which may hold secrets. */
  CAT(AccessRole.OPERATOR),
  /** Creates a unit, replaces its text, or sets its desired state. */
  SUBMIT(AccessRole.OPERATOR),
  START(AccessRole.OPERATOR),
  STOP(AccessRole.OPERATOR),
  RESTART(AccessRole.OPERATOR),
  DESTROY(AccessRole.OPERATOR),
  ROLLOUT(AccessRole.OPERATOR),
  /** Changes the metadata of machines, cordons them, or ends a pause of rescheduling. */
  MACHINES(AccessRole.ADMIN),
  DRAIN(AccessRole.ADMIN),
  REBALANCE(AccessRole.ADMIN),
  CONFIG(AccessRole.ADMIN),
  TOKENS(AccessRole.ADMIN),
  /** Reads and changes grants. */
  ACCESS(AccessRole.ADMIN),
  /** Reads the audit log. */
  AUDIT(AccessRole.ADMIN);

  private final AccessRole role;

  Action(AccessRole role) {
    this.role = role;
  }

  public AccessRole role() {
    return role;
  }

  /** Whether it leaves the cluster as it is. */
  public boolean isReading() {
    return role == AccessRole.VIEWER || this == CAT || this == AUDIT;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads what {@link #text} wrote. */
  public static Optional<Action> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}

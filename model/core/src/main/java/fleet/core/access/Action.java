package fleet.core.access;

import fleet.core.operation.OperationId;
import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.stream.Stream;

/** A kind of request. The role is the least that allows it. */
public enum Action implements EnumText {
  /** Reads units without their text, states, machines, events, settings or metrics. */
  LIST(AccessRole.VIEWER, "list", "units and machines"),
  /** Shows the code of an invitation, as strangers may. */
  LOGIN(AccessRole.VIEWER, "log in", "with a code"),
  /** Asks whether this fleetd works, as every user of its machine may. */
  HEALTH(AccessRole.VIEWER, "ask for the health of", "fleetd"),
  WHY(AccessRole.VIEWER, "ask for the reasons of", "units"),
  PLAN(AccessRole.VIEWER, "plan", "changes"),
  STATUS(AccessRole.VIEWER, "see the status of", "units"),
  JOURNAL(AccessRole.VIEWER, "read the journal of", "units"),
  /** Reads the text of a unit, which may hold secrets. */
  CAT(AccessRole.OPERATOR, "read the text of", "units"),
  /** Creates a unit, replaces its text, or sets its desired state. */
  SUBMIT(AccessRole.OPERATOR, "submit", "units"),
  START(AccessRole.OPERATOR, "start", "units"),
  STOP(AccessRole.OPERATOR, "stop", "units"),
  RESTART(AccessRole.OPERATOR, "restart", "units"),
  DESTROY(AccessRole.OPERATOR, "destroy", "units"),
  ROLLOUT(AccessRole.OPERATOR, "roll out", "units"),
  /** Changes the metadata of machines, cordons them, or ends a pause of rescheduling. */
  MACHINES(AccessRole.ADMIN, "change", "machines"),
  DRAIN(AccessRole.ADMIN, "drain", "machines"),
  /** Runs commands as root on machines, outside of every unit. */
  EXEC(AccessRole.ADMIN, "run commands on", "machines"),
  REBALANCE(AccessRole.ADMIN, "rebalance", "the cluster"),
  CONFIG(AccessRole.ADMIN, "change", "settings"),
  TOKENS(AccessRole.ADMIN, "list, make or revoke", "join tokens"),
  /** Replaces the authority that vouches for machines. */
  AUTHORITY(AccessRole.ADMIN, "replace", "the authority"),
  /** Reads and changes grants. */
  ACCESS(AccessRole.ADMIN, "see or change", "grants"),
  /** Reads the audit log. */
  AUDIT(AccessRole.ADMIN, "read", "the audit log"),
  /** Reads the whole registry, with the text of all units and all that is sealed. */
  BACKUP(AccessRole.ADMIN, "back up", "the registry");

  private final AccessRole role;
  private final String verb;
  private final String objects;

  /**
   * @param objects what is meant if a request names none
   */
  Action(AccessRole role, String verb, String objects) {
    this.role = role;
    this.verb = verb;
    this.objects = objects;
  }

  public AccessRole role() {
    return role;
  }

  /** Whether it leaves the cluster as it is. */
  public boolean isReading() {
    return (role == AccessRole.VIEWER && this != LOGIN)
        || this == CAT
        || this == AUDIT
        || this == BACKUP;
  }

  /** The action of people who begin an operation of a kind, or change its course. */
  public static Action of(OperationId.Kind kind) {
    return switch (kind) {
      case DRAIN -> DRAIN;
      case REBALANCE -> REBALANCE;
      case RESTART -> RESTART;
      case ROLLOUT -> ROLLOUT;
    };
  }

  /** Whether it is never about a part of the cluster. */
  public boolean isOfCluster() {
    return switch (this) {
      case ACCESS, AUDIT, AUTHORITY, BACKUP, CONFIG, REBALANCE, TOKENS -> true;
      default -> false;
    };
  }

  /** The action as a refusal names it, such as "drain machines". */
  public String words(Target target) {
    return switch (target) {
      case Target.Something _, Target.Cluster _ -> verb + " " + objects;
      case Target.OfUnit _, Target.OfMachine _ -> verb + " " + target;
    };
  }

  /** Reads what {@link #text} wrote. */
  public static Optional<Action> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}

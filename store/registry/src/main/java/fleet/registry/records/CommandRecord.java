package fleet.registry.records;

import fleet.core.operation.OperationId;
import fleet.registry.Entry;

/**
 * The value of {@code command/<slot>}: a command, written in the same transaction as its effect,
 * which does not name its sender. It is only for watches.
 *
 * @param subject the unit, machine, operation, token or holder of a grant that it is about
 * @param command what was asked for
 * @param details of it; may be empty
 * @param by who asked
 */
public record CommandRecord(
    String subject, String command, String details, String by, UnknownFields unknown) {

  public static final String DESTROY = "destroy";

  /** The metadata of a machine was changed. */
  public static final String METADATA = "metadata";

  public static final String CORDON = "cordon";
  public static final String UNCORDON = "uncordon";

  /** A machine's fleetd may be away for a while: the details say until when. */
  public static final String MAINTENANCE = "maintenance";

  public static final String END_MAINTENANCE = "end-maintenance";

  /** An operation began, or came to another stage: the details say which. */
  public static final String OPERATION = "operation";

  /** A join token was made. */
  public static final String TOKEN = "token";

  public static final String REVOKE_TOKEN = "revoke-token";
  public static final String GRANT = "grant";
  public static final String REVOKE_GRANT = "revoke-grant";

  /** A setting of the whole cluster has its default again. */
  public static final String UNSET = "unset";

  /** A machine was thrown out of the cluster. */
  public static final String REMOVE = "remove";

  /** A machine may come back with another key. */
  public static final String READMIT = "readmit";

  /** A replacement of the cluster's authority: the details say its progress. */
  public static final String AUTHORITY = "authority";

  public CommandRecord(String subject, String command, String details, String by) {
    this(subject, command, details, by, UnknownFields.NONE);
  }

  /**
   * A change of an operation.
   *
   * @param what it does from now on, such as "is paused"
   * @param by empty if it follows from its units
   */
  public static CommandRecord of(OperationId operation, String what, String by) {
    return new CommandRecord(operation.text(), OPERATION, what, by);
  }

  public static CommandRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new CommandRecord(
        fields.text("subject"),
        fields.text("command"),
        fields.text("details"),
        fields.text("by"),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("subject", subject)
        .put("command", command)
        .put("details", details)
        .put("by", by)
        .render(unknown);
  }
}

package fleet.cluster;

import fleet.core.machine.Machine;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.text.EnumText;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * One change of the cluster.
 *
 * @param revision of the registry when it happened
 */
public record Event(EventId id, long revision, Instant time, Body body) {

  /** The change itself; the log adds position and time. */
  public record Body(Kind kind, Subject subject, Cause cause, Payload payload) {

    public static final Body GAP = new Body(Kind.GAP, Subject.NONE, Cause.NONE);

    /** A change that kind, subject and cause tell in full. */
    public Body(Kind kind, Subject subject, Cause cause) {
      this(kind, subject, cause, Payload.NONE);
    }

    /** A command through the API; the cause has its sender and the details. */
    public static Body of(Command command, Subject subject, Cause cause) {
      return new Body(
          Kind.COMMAND, subject, cause, new Payload.OfCommand(command, Optional.empty()));
    }

    /**
     * Somebody changed a unit through the API.
     *
     * @param desired its desired state from now on; empty if the unit was destroyed
     * @param by empty if nobody knows who
     */
    public static Body of(
        Command command, UnitName unit, Optional<DesiredState> desired, String by) {
      return new Body(
          Kind.COMMAND, Subject.of(unit), Cause.by(by), new Payload.OfCommand(command, desired));
    }

    /** An operation began, or came to another stage; the cause says which, and who asked. */
    public static Body of(OperationId operation, Cause cause) {
      return new Body(
          Kind.OPERATION, Subject.of(operation), cause, new Payload.OfOperation(operation));
    }

    public static Body of(UnitView unit) {
      return new Body(
          Kind.UNIT,
          new Subject(Optional.of(unit.unit().name()), unit.machine().orElse(""), ""),
          Cause.of(unit.waiting()),
          new Payload.OfUnit(unit));
    }

    public static Body of(UnitState state) {
      return new Body(
          Kind.STATE,
          Subject.of(state.unit(), state.machine()),
          Cause.of(state.problem()),
          new Payload.OfState(state));
    }

    /**
     * A machine came, or its description changed.
     *
     * @param joined whether it was absent before
     */
    public static Body of(Machine machine, boolean joined) {
      return new Body(
          Kind.MACHINE,
          Subject.of(machine.id()),
          joined ? Cause.of("joined") : Cause.NONE,
          new Payload.OfMachine(machine));
    }
  }

  /** Kinds of changes that are told apart. */
  public enum Kind implements EnumText {
    /** Somebody changed something through the API. */
    COMMAND,
    /** A drain, a rebalance or a rollout began, was paused or resumed, or came to another stage. */
    OPERATION,
    /** A unit without a place was placed. */
    PLACED,
    /** A unit was placed on another machine, after it left its machine or that was lost. */
    MOVED,
    /** A unit is told to leave its machine: its process is being stopped. */
    LEAVING,
    /** A unit has left its machine, and has no place. */
    LEFT,
    /**
     * Another engine leads, or none; also the first event of each epoch. The subject is the machine
     * of that engine, if there is one and it is known.
     */
    LEADER,
    /** A unit is new, or something about it changed: content, desired or current state, place. */
    UNIT,
    UNIT_DESTROYED,
    STATE,
    /** A machine no longer has the unit. */
    STATE_GONE,
    MACHINE,
    MACHINE_GONE,
    /** Too many machines vanished at once: units of lost machines stay where they are for now. */
    RESCHEDULING_PAUSED,
    /** Units of lost machines move again. */
    RESCHEDULING_RESUMED,
    /** Events before this position are no longer kept: read everything again. */
    GAP;

    /** The kind of a name; empty if there is none. */
    public static Optional<Kind> of(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
  }

  /** Commands that events tell of. */
  public enum Command implements EnumText {
    CREATED,
    REPLACED,
    /** The desired state was set. */
    DESIRED,
    /** It was told to start again. */
    STARTED_AGAIN,
    DESTROYED,
    /** The metadata of a machine was set. */
    METADATA,
    /** A machine was cordoned. */
    CORDONED,
    /** A machine was uncordoned. */
    UNCORDONED,
    /** A machine is in maintenance for a while. */
    MAINTENANCE,
    /** The maintenance of a machine is over. */
    MAINTENANCE_ENDED,
    /** A machine was removed from the cluster. */
    REMOVED,
    /** A machine may join once more with another key. */
    READMITTED,
    /** Another process speaks for a machine while the one before was still connected. */
    TAKEN_OVER,
    /** A setting of the whole cluster was set. */
    CONFIG,
    /** A token was made, with which machines can join. */
    TOKEN_CREATED,
    /** A token was revoked. */
    TOKEN_REVOKED,
    /** A grant was made. */
    ACCESS_GRANTED,
    /** A grant was revoked. */
    ACCESS_REVOKED,
    /** The authority of the cluster is replaced. */
    CA_ROTATION;
  }

  /**
   * The unit and the machine that an event is about.
   *
   * @param machine its id; where the unit is by now, if there is one. Empty if there is none
   * @param from the machine that the unit was on before; empty if the event does not tell
   */
  public record Subject(Optional<UnitName> unit, String machine, String from) {

    /** No single unit or machine. */
    public static final Subject NONE = new Subject(Optional.empty(), "", "");

    public static Subject of(UnitName unit) {
      return of(unit, "");
    }

    public static Subject of(String machine) {
      return new Subject(Optional.empty(), machine, "");
    }

    static Subject of(OperationId operation) {
      return switch (operation.kind().scope()) {
        case CLUSTER -> NONE;
        case MACHINE -> of(operation.subject());
        case UNITS -> of(operation.unit());
      };
    }

    public static Subject of(UnitName unit, String machine) {
      return new Subject(Optional.of(unit), machine, "");
    }
  }

  /** The data of an event beyond kind, subject and cause. */
  public sealed interface Payload {

    Payload NONE = new None();

    record None() implements Payload {}

    /**
     * A command.
     *
     * @param desired the desired state that it gave to the unit; empty if it gave none
     */
    record OfCommand(Command command, Optional<DesiredState> desired) implements Payload {}

    record OfOperation(OperationId operation) implements Payload {}

    record OfUnit(UnitView unit) implements Payload {}

    record OfState(UnitState state) implements Payload {}

    /** A machine as it describes itself, with the metadata in force. */
    record OfMachine(Machine machine) implements Payload {}
  }
}

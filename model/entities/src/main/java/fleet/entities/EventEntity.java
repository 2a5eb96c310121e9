package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One server-sent change: which of the payload fields is there depends on the name. */
@Json
public record EventEntity(
    String name,
    long revision,
    String time,
    @Nullable UnitEntity unit,
    @Nullable StateEntity state,
    @Nullable MachineEntity machine,
    String reason,
    String command,
    String operation,
    ContextEntity context,
    CauseEntity cause)
    implements Entity {

  public EventEntity {
    reason = Empty.ifAbsent(reason);
    command = Empty.ifAbsent(command);
    operation = Empty.ifAbsent(operation);
    context = Objects.requireNonNullElse(context, ContextEntity.NONE);
    cause = Objects.requireNonNullElse(cause, CauseEntity.NONE);
  }

  /** An event that tells nothing but its name; add the rest with the other methods. */
  public static EventEntity of(String name, long revision, String time) {
    return new EventEntity(
        name, revision, time, null, null, null, "", "", "", ContextEntity.NONE, CauseEntity.NONE);
  }

  public EventEntity with(@Nullable UnitEntity it) {
    return new EventEntity(
        name, revision, time, it, state, machine, reason, command, operation, context, cause);
  }

  public EventEntity with(@Nullable StateEntity it) {
    return new EventEntity(
        name, revision, time, unit, it, machine, reason, command, operation, context, cause);
  }

  public EventEntity with(@Nullable MachineEntity it) {
    return new EventEntity(
        name, revision, time, unit, state, it, reason, command, operation, context, cause);
  }

  public EventEntity because(String why) {
    return new EventEntity(
        name, revision, time, unit, state, machine, why, command, operation, context, cause);
  }

  public EventEntity commanded(String what) {
    return new EventEntity(
        name, revision, time, unit, state, machine, reason, what, operation, context, cause);
  }

  public EventEntity ofOperation(String id) {
    return new EventEntity(
        name, revision, time, unit, state, machine, reason, command, id, context, cause);
  }

  public EventEntity about(ContextEntity subject, CauseEntity why) {
    return new EventEntity(
        name, revision, time, unit, state, machine, reason, command, operation, subject, why);
  }
}

package fleet.fleetctl.event;

import fleet.entities.EventEntity;
import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.output.LocalTimes;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Renders an event as one line. Pure. */
public final class EventLines {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

  private final ZoneId zone;
  private final UnaryOperator<String> machineName;
  private final UnaryOperator<String> namesInReason;

  /**
   * @param machineName gives a machine's name for its id
   * @param namesInReason replaces the ids of machines in a text of the cluster by their names
   */
  public EventLines(
      ZoneId zone, UnaryOperator<String> machineName, UnaryOperator<String> namesInReason) {
    this.zone = zone;
    this.machineName = machineName;
    this.namesInReason = namesInReason;
  }

  /** The line; empty if other events say the same, or it is not for people. */
  public Optional<String> of(EventEntity event) {
    return text(event).map(text -> time(event) + "  " + LocalTimes.in(text));
  }

  private String time(EventEntity event) {
    try {
      return TIME.format(Instant.parse(event.time()).atZone(zone));
    } catch (DateTimeException e) {
      return event.time();
    }
  }

  private Optional<String> text(EventEntity event) {
    return switch (event.name()) {
      case "command" -> Optional.of(command(event));
      case "placed" -> Optional.of(unit(event) + " placed on " + machine(event) + why(event));
      case "moved" ->
          Optional.of(
              unit(event) + " moved from " + from(event) + " to " + machine(event) + why(event));
      case "leaving" -> Optional.of(unit(event) + " leaves " + machine(event) + why(event));
      case "left" -> Optional.of(unit(event) + " has left " + machine(event) + why(event));
      case "state" -> Optional.of(unit(event) + " on " + machine(event) + ": " + state(event));
      case "state-gone" -> Optional.of(unit(event) + " on " + machine(event) + ": gone");
      case "unit" -> waiting(event);
      case "machine" ->
          Optional.of("machine " + machine(event) + joinedOrChanged(event) + metadata(event));
      case "machine-gone" -> Optional.of("machine " + machine(event) + " is gone" + why(event));
      case "leader" -> Optional.of(leader(event));
      case "operation" -> Optional.of(operation(event));
      case "rescheduling-paused" -> Optional.of("rescheduling is paused" + why(event));
      case "rescheduling-resumed" -> Optional.of("rescheduling is resumed" + why(event));
      case "gap" -> Optional.of("-- earlier events are missing --");
      case "start", "unit-destroyed" -> Optional.empty();
      default -> Optional.of((event.name() + " " + unit(event)).trim() + why(event));
    };
  }

  private String command(EventEntity event) {
    String command = event.command();
    String by = event.cause().by().isEmpty() ? "" : " by " + event.cause().by();
    return switch (command) {
      case "created", "replaced" -> unit(event) + " " + command + by + wanted(event);
      case "desired" -> unit(event) + ": desired state " + desired(event) + by;
      case "started-again" -> unit(event) + " starts again, asked" + by;
      case "destroyed" -> unit(event) + " destroyed" + by;
      case "metadata" -> "machine " + machine(event) + ": metadata set" + by + why(event);
      case "cordoned", "uncordoned" -> "machine " + machine(event) + ": " + command + by;
      case "maintenance" -> "machine " + machine(event) + ": in maintenance" + by + why(event);
      case "maintenance-ended" ->
          "machine " + machine(event) + ": maintenance ended" + by + why(event);
      case "removed" -> "machine " + machine(event) + ": removed from the cluster" + by;
      case "readmitted" -> "machine " + machine(event) + ": may join again" + by + why(event);
      case "taken-over" -> "machine " + machine(event) + ": TAKEN OVER" + why(event);
      case "token-created" -> "token " + event.cause().why() + ", made" + by;
      case "ca-rotation" -> "authority: " + event.cause().why() + by;
      case "token-revoked" -> "token " + event.cause().why() + " revoked" + by;
      case "access-granted" -> event.cause().why() + ", granted" + by;
      case "access-revoked" -> "grant of " + event.cause().why() + " revoked" + by;
      case "config" -> event.cause().why() + " set" + by;
      default -> (unit(event) + " " + command).trim() + by + why(event);
    };
  }

  /** Such as "drain of machine web-1 began: at most 1 down at a time, as user a asked". */
  private String operation(EventEntity event) {
    String kind = event.operation().split("-", 2)[0];
    String subject = unit(event).isEmpty() ? machine(event) : unit(event);
    if (!subject.isEmpty()) {
      kind += unit(event).isEmpty() ? " of machine " : " of ";
    }
    String by = event.cause().by();
    return kind
        + subject
        + " "
        + namesInReason.apply(event.cause().why())
        + (by.isEmpty() ? "" : ", as " + by + " asked");
  }

  private static String wanted(EventEntity event) {
    String desired = desired(event);
    return desired.isEmpty() ? "" : ", desired state " + desired;
  }

  private static String desired(EventEntity event) {
    UnitEntity unit = event.unit();
    return unit == null ? "" : unit.desiredState();
  }

  private Optional<String> waiting(EventEntity event) {
    UnitEntity unit = event.unit();
    String waiting = unit == null ? "" : unit.waiting();
    return waiting.isEmpty()
        ? Optional.empty()
        : Optional.of(unit(event) + " waits: " + namesInReason.apply(waiting));
  }

  private static String state(EventEntity event) {
    StateEntity state = event.state();
    if (state == null) {
      return "";
    }
    String active = state.systemdActiveState();
    String sub = state.systemdSubState();
    String result = state.result();
    String text = active + (sub.isEmpty() ? "" : " (" + sub + ")");
    text += result.isEmpty() || result.equals("success") ? "" : ", result " + result;
    String problem = state.problem();
    return problem.isEmpty() ? text : text + ": " + problem;
  }

  private static String joinedOrChanged(EventEntity event) {
    return "joined".equals(event.cause().why()) ? " joined" : " changed";
  }

  private static String metadata(EventEntity event) {
    MachineEntity machine = event.machine();
    return machine == null || machine.metadata().isEmpty()
        ? ""
        : new TreeMap<>(machine.metadata())
            .entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(", ", ": ", ""));
  }

  private String leader(EventEntity event) {
    String machine = machine(event);
    if (!machine.isEmpty()) {
      return "machine " + machine + " leads" + why(event);
    }
    return event.cause().why().isEmpty() ? "no engine leads" : event.cause().why();
  }

  private static String unit(EventEntity event) {
    return event.context().unit();
  }

  private String machine(EventEntity event) {
    return name(event.context().machine());
  }

  private String from(EventEntity event) {
    return name(event.context().from());
  }

  private String name(String machine) {
    return machine.isEmpty() ? "" : machineName.apply(machine);
  }

  private String why(EventEntity event) {
    String why = namesInReason.apply(event.cause().why());
    return why.isEmpty() ? "" : ": " + why;
  }
}

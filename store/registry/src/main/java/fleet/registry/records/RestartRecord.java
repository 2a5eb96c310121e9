package fleet.registry.records;

import fleet.core.operation.Operation;
import fleet.core.operation.OperationChange;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import java.time.Duration;
import java.util.Optional;

/**
 * The value of {@code operation/restart-<name>}: the restart of a global unit on one machine after
 * the other. A turn asks for the same content and the next restart counter. It is there until the
 * unit is gone, or another restart of it begins.
 *
 * @param healthy for how long the unit has to be active on a machine until the next one's turn
 *     comes
 * @param global the turn; its content is the unit's own
 * @param acceptedUpTo id of the machine up to which people have accepted failures; empty for none
 */
public record RestartRecord(
    Operation operation,
    Duration healthy,
    GlobalRollout global,
    String acceptedUpTo,
    UnknownFields unknown)
    implements GlobalOperation {

  private static final String ACCEPTED = "acceptedUpTo";

  /** One that begins. */
  public RestartRecord(Operation operation, Duration healthy, GlobalRollout global) {
    this(operation, healthy, global, "", UnknownFields.NONE);
  }

  public static RestartRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new RestartRecord(
        OperationRecord.read(entry, fields),
        Duration.ofSeconds(fields.count("healthySeconds")),
        GlobalRollout.read(fields).orElseThrow(() -> fields.wrong("global", "is missing")),
        fields.text(ACCEPTED, ""),
        fields.rest());
  }

  @Override
  public String json() {
    FieldWriter fields =
        OperationRecord.write(operation).put("healthySeconds", healthy.toSeconds());
    global.write(fields);
    if (!acceptedUpTo.isEmpty()) {
      fields.put(ACCEPTED, acceptedUpTo);
    }
    return fields.render(unknown);
  }

  @Override
  public UnitName name() {
    return operation.id().unit();
  }

  @Override
  public Optional<GlobalRollout> turns() {
    return Optional.of(global);
  }

  @Override
  public int canaries() {
    return 0;
  }

  @Override
  public boolean acceptsFailureOn(String machine) {
    return machine.compareTo(acceptedUpTo) <= 0;
  }

  @Override
  public RestartRecord with(Operation now) {
    return new RestartRecord(now, healthy, global, acceptedUpTo, unknown);
  }

  @Override
  public RestartRecord withGlobal(GlobalRollout now) {
    return new RestartRecord(operation, healthy, now, acceptedUpTo, unknown);
  }

  /** There is no way back from a restart: people decide how it goes on. */
  @Override
  public RestartRecord failed(String why) {
    return with(operation.withPaused(true).withStage(operation.stage(), why));
  }

  /** People who resume it after a failure leave the machines that had their turn as they are. */
  @Override
  public RestartRecord after(OperationChange change, String who) {
    Operation now = operation.after(change, who);
    return change == OperationChange.RESUME && !operation.reason().isEmpty()
        ? new RestartRecord(
            now.withStage(now.stage(), ""), healthy, global, global.turn().upTo(), unknown)
        : with(now);
  }
}

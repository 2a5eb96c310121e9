package fleet.registry.records;

import fleet.core.operation.Operation;
import fleet.core.operation.OperationChange;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The value of {@code operation/restart-<name>}: the restart of a global unit on one machine after
 * the other. The update asks for the same content and the next restart counter. It is there until
 * the unit is gone, or another restart of it begins.
 *
 * @param healthy for how long the unit has to be active on a machine until the next one's turn
 *     comes
 * @param global the update; its content is the unit's own
 * @param failedOn id of the machine whose failure paused it; empty if none did
 * @param accepted ids of the machines whose failures people have accepted
 */
public record RestartRecord(
    Operation operation,
    Duration healthy,
    GlobalRollout global,
    String failedOn,
    Set<String> accepted,
    UnknownFields unknown)
    implements GlobalOperation {

  private static final String FAILED_ON = "failedOn";
  private static final String ACCEPTED = "accepted";

  public RestartRecord {
    accepted = Collections.unmodifiableSet(new TreeSet<>(accepted));
  }

  /** One that begins. */
  public RestartRecord(Operation operation, Duration healthy, GlobalRollout global) {
    this(operation, healthy, global, "", Set.of(), UnknownFields.NONE);
  }

  public static RestartRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new RestartRecord(
        OperationRecord.read(entry, fields),
        Duration.ofSeconds(fields.count("healthySeconds")),
        GlobalRollout.read(fields).orElseThrow(() -> fields.wrong("global", "is missing")),
        fields.text(FAILED_ON, ""),
        fields.has(ACCEPTED) ? new TreeSet<>(fields.texts(ACCEPTED)) : Set.of(),
        fields.rest());
  }

  @Override
  public String json() {
    FieldWriter fields =
        OperationRecord.write(operation).put("healthySeconds", healthy.toSeconds());
    global.write(fields);
    if (!failedOn.isEmpty()) {
      fields.put(FAILED_ON, failedOn);
    }
    if (!accepted.isEmpty()) {
      fields.put(ACCEPTED, List.copyOf(accepted));
    }
    return fields.render(unknown);
  }

  @Override
  public UnitName name() {
    return operation.id().unit();
  }

  @Override
  public Optional<GlobalRollout> globalRollout() {
    return Optional.of(global);
  }

  @Override
  public int canaries() {
    return 0;
  }

  @Override
  public boolean acceptsFailureOn(String machine) {
    return accepted.contains(machine);
  }

  @Override
  public RestartRecord with(Operation now) {
    return new RestartRecord(now, healthy, global, failedOn, accepted, unknown);
  }

  @Override
  public RestartRecord withGlobal(GlobalRollout now) {
    return new RestartRecord(operation, healthy, now, failedOn, accepted, unknown);
  }

  /** There is no way back from a restart: people decide how it goes on. */
  @Override
  public RestartRecord failed(String machine, String why) {
    Operation now = operation.withPaused(true).withStage(operation.stage(), why);
    return new RestartRecord(now, healthy, global, machine, accepted, unknown);
  }

  /**
   * People who resume it after a failure leave that machine as it is. They have not seen what fails
   * later.
   */
  @Override
  public RestartRecord after(OperationChange change, String who) {
    Operation now = operation.after(change, who);
    if (change != OperationChange.RESUME || failedOn.isEmpty()) {
      return with(now);
    }
    Set<String> all = new TreeSet<>(accepted);
    all.add(failedOn);
    return new RestartRecord(now.withStage(now.stage(), ""), healthy, global, "", all, unknown);
  }
}

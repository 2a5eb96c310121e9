package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rolling change.
 *
 * @param name of the template, or of the single unit
 * @param options the new content; only where somebody asks for the rollout
 * @param hash of the new content, SHA-1 in hex
 * @param maxUnavailable how many instances of the template may be down at a time
 * @param healthySeconds for how long a unit has to be active until the next one's turn comes
 * @param stage {@code forward}, {@code back}, {@code done} or {@code undone}
 * @param by who asked for it
 * @param reason what brought it to its stage
 * @param started when it began, in ISO 8601
 * @param waitsFor what keeps it from going on while nothing of it is on its way
 * @param units those of it that are still there, sorted
 */
@Json
public record RolloutEntity(
    @Nullable String name,
    @Nullable List<UnitOptionEntity> options,
    @Nullable String hash,
    @Nullable Integer maxUnavailable,
    @Nullable Long healthySeconds,
    @Nullable String stage,
    @Nullable Boolean paused,
    @Nullable String by,
    @Nullable String reason,
    @Nullable String started,
    @Nullable String waitsFor,
    @Nullable List<RolledOutUnitEntity> units)
    implements Entity {

  public RolloutEntity {
    name = Absent.ifEmpty(name);
    options = Absent.ifEmpty(options);
    hash = Absent.ifEmpty(hash);
    stage = Absent.ifEmpty(stage);
    by = Absent.ifEmpty(by);
    reason = Absent.ifEmpty(reason);
    started = Absent.ifEmpty(started);
    waitsFor = Absent.ifEmpty(waitsFor);
    units = Absent.ifEmpty(units);
  }

  /** A rollout as it is asked for. */
  public static RolloutEntity wanted(
      List<UnitOptionEntity> options, int maxUnavailable, long healthySeconds) {
    return new RolloutEntity(
        null,
        options,
        null,
        maxUnavailable,
        healthySeconds,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A drain, a rebalance or a rollout.
 *
 * @param id such as {@code rollout-web@.service}
 * @param kind {@code drain}, {@code rebalance} or {@code rollout}
 * @param subject the machine that is drained, or the template or unit that is rolled out
 * @param by who asked for it
 * @param started when it began, in ISO 8601
 * @param stage {@code forward}, {@code back}, {@code stopping}, {@code done}, {@code undone} or
 *     {@code cancelled}
 * @param reason what brought it to its stage, or what it will not reach
 * @param waitsFor what keeps it from going on while no unit of it is on its way
 * @param maxUnavailable how many instances of a template may be down at a time
 * @param details what was asked for beyond that, for people
 * @param left how many units are not done
 * @param steps one for each unit; absent in a list
 * @param awaitsPromotion whether its canaries are healthy, and people decide how it goes on
 */
@Json
public record OperationEntity(
    String id,
    String kind,
    String subject,
    String by,
    String started,
    String stage,
    @Nullable Boolean paused,
    String reason,
    String waitsFor,
    @Nullable Integer maxUnavailable,
    String details,
    @Nullable Integer left,
    List<StepEntity> steps,
    @Nullable Boolean awaitsPromotion)
    implements Entity {

  public OperationEntity {
    id = Empty.ifAbsent(id);
    kind = Empty.ifAbsent(kind);
    subject = Empty.ifAbsent(subject);
    by = Empty.ifAbsent(by);
    started = Empty.ifAbsent(started);
    stage = Empty.ifAbsent(stage);
    reason = Empty.ifAbsent(reason);
    waitsFor = Empty.ifAbsent(waitsFor);
    details = Empty.ifAbsent(details);
    steps = Empty.ifAbsent(steps);
  }

  /** None has begun, for a reason. */
  public static OperationEntity nothing(String why) {
    return new OperationEntity(
        "", "", "", "", "", "", null, why, "", null, "", null, List.of(), null);
  }
}

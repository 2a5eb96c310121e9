package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * Whether a subject may do something.
 *
 * @param allowed absent in a question
 * @param grant that allows it
 * @param because of which it is refused
 */
@Json
public record AccessCheckEntity(
    @Nullable String subject,
    @Nullable String action,
    @Nullable String unit,
    @Nullable Boolean allowed,
    @Nullable String grant,
    @Nullable String because)
    implements Entity {

  public AccessCheckEntity {
    subject = Absent.ifEmpty(subject);
    action = Absent.ifEmpty(action);
    unit = Absent.ifEmpty(unit);
    grant = Absent.ifEmpty(grant);
    because = Absent.ifEmpty(because);
  }

  /** The question. */
  public static AccessCheckEntity question(String subject, String action, String unit) {
    return new AccessCheckEntity(subject, action, unit, null, null, null);
  }
}

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
    String subject,
    String action,
    String unit,
    @Nullable Boolean allowed,
    String grant,
    String because)
    implements Entity {

  public AccessCheckEntity {
    subject = Empty.ifAbsent(subject);
    action = Empty.ifAbsent(action);
    unit = Empty.ifAbsent(unit);
    grant = Empty.ifAbsent(grant);
    because = Empty.ifAbsent(because);
  }

  /** The question. */
  public static AccessCheckEntity question(String subject, String action, String unit) {
    return new AccessCheckEntity(subject, action, unit, null, "", "");
  }
}

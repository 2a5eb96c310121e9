package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * An error.
 *
 * @param type the kind of error for programs, if the code does not say enough; null for most
 */
@Json
public record ErrorBodyEntity(int code, String message, @Nullable String type) {

  /** The type of a refusal: the change is possible only on all units at once. */
  public static final String NOT_IN_TURNS = "not-in-turns";

  /** Others' servers may leave the message out. */
  public ErrorBodyEntity {
    message = Empty.ifAbsent(message);
  }

  /** An error whose code says enough to programs. */
  public static ErrorBodyEntity of(int code, String message) {
    return new ErrorBodyEntity(code, message, null);
  }
}

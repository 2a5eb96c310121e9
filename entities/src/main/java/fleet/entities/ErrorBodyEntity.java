package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.Objects;

/** An error. */
@Json
public record ErrorBodyEntity(int code, String message) {

  /** Others' servers may leave the message out. */
  public ErrorBodyEntity {
    message = Objects.requireNonNullElse(message, "");
  }
}

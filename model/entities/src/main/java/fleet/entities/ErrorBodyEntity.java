package fleet.entities;

import io.avaje.jsonb.Json;

/** An error. */
@Json
public record ErrorBodyEntity(int code, String message) {

  /** Others' servers may leave the message out. */
  public ErrorBodyEntity {
    message = Empty.ifAbsent(message);
  }
}

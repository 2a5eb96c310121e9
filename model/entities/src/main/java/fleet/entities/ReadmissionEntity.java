package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * A machine may join once more with another key.
 *
 * @param until when
 */
@Json
public record ReadmissionEntity(String until) implements Entity {

  public ReadmissionEntity {
    until = Empty.ifAbsent(until);
  }
}

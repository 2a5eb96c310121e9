package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * The result for one unit of a request that puts several.
 *
 * @param status of HTTP, as a request for this unit alone would have got it
 * @param message why it was refused
 */
@Json
public record UnitPutResultEntity(String name, int status, String message) implements Entity {

  public UnitPutResultEntity {
    name = Empty.ifAbsent(name);
    message = Empty.ifAbsent(message);
  }
}

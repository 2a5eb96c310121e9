package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * The result for one unit of a request that puts several.
 *
 * @param status of HTTP, as a request for this unit alone would have got it
 * @param message why it was refused
 */
@Json
public record UnitPutResultEntity(@Nullable String name, int status, @Nullable String message)
    implements Entity {

  public UnitPutResultEntity {
    name = Absent.ifEmpty(name);
    message = Absent.ifEmpty(message);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a request that puts several units, in the order of that request. */
@Json
public record UnitPutResultsEntity(@Nullable List<UnitPutResultEntity> results) implements Entity {

  public UnitPutResultsEntity {
    results = Absent.ifEmpty(results);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** The answer to a request that puts several units, in the order of that request. */
@Json
public record UnitPutResultsEntity(List<UnitPutResultEntity> results) implements Entity {

  public UnitPutResultsEntity {
    results = Empty.ifAbsent(results);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** Some units with their states, in short. */
@Json
public record UnitSummariesEntity(List<UnitSummaryEntity> units) implements Entity {

  public UnitSummariesEntity {
    units = Empty.ifAbsent(units);
  }
}

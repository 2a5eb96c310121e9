package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** A page of units. */
@Json
public record UnitPageEntity(String nextPageToken, List<UnitEntity> units) implements Entity {

  public UnitPageEntity {
    nextPageToken = Empty.ifAbsent(nextPageToken);
    units = Empty.ifAbsent(units);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of units. */
@Json
public record UnitPageEntity(@Nullable String nextPageToken, @Nullable List<UnitEntity> units)
    implements Entity {

  public UnitPageEntity {
    nextPageToken = Absent.ifEmpty(nextPageToken);
    units = Absent.ifEmpty(units);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** All grants. */
@Json
public record GrantsEntity(List<GrantEntity> grants) implements Entity {

  public GrantsEntity {
    grants = Empty.ifAbsent(grants);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All grants. */
@Json
public record GrantsEntity(@Nullable List<GrantEntity> grants) implements Entity {

  public GrantsEntity {
    grants = Absent.ifEmpty(grants);
  }
}

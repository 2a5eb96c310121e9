package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of states. */
@Json
public record StatePageEntity(@Nullable String nextPageToken, @Nullable List<StateEntity> states)
    implements Entity {

  public StatePageEntity {
    nextPageToken = Absent.ifEmpty(nextPageToken);
    states = Absent.ifEmpty(states);
  }
}

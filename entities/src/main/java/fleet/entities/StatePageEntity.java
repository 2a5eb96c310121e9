package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of states.
 *
 * @param unreported on the first page: machines that say nothing of units that they have been
 *     given, whose states are therefore on no page
 */
@Json
public record StatePageEntity(
    @Nullable String nextPageToken,
    @Nullable List<StateEntity> states,
    @Nullable List<UnreportedEntity> unreported)
    implements Entity {

  public StatePageEntity {
    nextPageToken = Absent.ifEmpty(nextPageToken);
    states = Absent.ifEmpty(states);
    unreported = Absent.ifEmpty(unreported);
  }
}

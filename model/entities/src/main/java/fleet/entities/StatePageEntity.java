package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * A page of states.
 *
 * @param unreported on the first page: machines that say nothing of units that they have been
 *     given, whose states are therefore on no page
 */
@Json
public record StatePageEntity(
    String nextPageToken, List<StateEntity> states, List<UnreportedEntity> unreported)
    implements Entity {

  public StatePageEntity {
    nextPageToken = Empty.ifAbsent(nextPageToken);
    states = Empty.ifAbsent(states);
    unreported = Empty.ifAbsent(unreported);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * How evenly units would be spread over machines.
 *
 * @param rest why that is not as asked for; absent if it is
 */
@Json
public record PlannedEvennessEntity(
    @Nullable EvennessEntity before, @Nullable EvennessEntity after, String rest) {

  public PlannedEvennessEntity {
    rest = Empty.ifAbsent(rest);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.Objects;

/**
 * How evenly units would be spread over machines.
 *
 * @param rest why that is not as asked for; empty if it is
 */
@Json
public record PlannedEvennessEntity(EvennessEntity before, EvennessEntity after, String rest) {

  public PlannedEvennessEntity {
    before = Objects.requireNonNullElse(before, EvennessEntity.NONE);
    after = Objects.requireNonNullElse(after, EvennessEntity.NONE);
    rest = Empty.ifAbsent(rest);
  }
}

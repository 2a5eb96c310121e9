package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * Rescheduling pauses.
 *
 * @param of how many machines there were before
 * @param reason the same for people
 * @param until when it goes on by itself
 * @param vanished how many machines vanished
 */
@Json
public record PauseEntity(
    @Nullable Integer of, String reason, String since, String until, @Nullable Integer vanished) {

  public PauseEntity {
    reason = Empty.ifAbsent(reason);
    since = Empty.ifAbsent(since);
    until = Empty.ifAbsent(until);
  }
}

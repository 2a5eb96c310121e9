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
    @Nullable Integer of,
    @Nullable String reason,
    @Nullable String since,
    @Nullable String until,
    @Nullable Integer vanished) {

  public PauseEntity {
    reason = Absent.ifEmpty(reason);
    since = Absent.ifEmpty(since);
    until = Absent.ifEmpty(until);
  }
}

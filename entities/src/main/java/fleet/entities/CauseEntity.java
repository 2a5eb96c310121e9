package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/** The cause of an event: who asked for it, and why it follows. */
@Json
public record CauseEntity(@Nullable String by, @Nullable String why) {

  public CauseEntity {
    by = Absent.ifEmpty(by);
    why = Absent.ifEmpty(why);
  }
}

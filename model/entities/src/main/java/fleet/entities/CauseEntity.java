package fleet.entities;

import io.avaje.jsonb.Json;

/** The cause of an event: who asked for it, and why it follows. */
@Json
public record CauseEntity(String by, String why) {

  /** No cause that is known. */
  public static final CauseEntity NONE = new CauseEntity("", "");

  public CauseEntity {
    by = Empty.ifAbsent(by);
    why = Empty.ifAbsent(why);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** The contents of a unit, newest first. */
@Json
public record HistoryEntity(List<RevisionEntity> revisions) implements Entity {

  public HistoryEntity {
    revisions = Empty.ifAbsent(revisions);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A content that a unit has or had.
 *
 * @param current true if the unit has it now
 * @param cause the kind of command that gave it to the unit; empty if not known
 * @param options its text; only if it was asked for, and none if the registry has lost it
 * @param text its text as it was typed, if it was asked for and is another than that of the options
 */
@Json
public record RevisionEntity(
    long revision,
    @Nullable Boolean current,
    String hash,
    String created,
    String by,
    String cause,
    List<UnitOptionEntity> options,
    String text)
    implements Entity {

  public RevisionEntity {
    hash = Empty.ifAbsent(hash);
    created = Empty.ifAbsent(created);
    by = Empty.ifAbsent(by);
    cause = Empty.ifAbsent(cause);
    options = Empty.ifAbsent(options);
    text = Empty.ifAbsent(text);
  }
}

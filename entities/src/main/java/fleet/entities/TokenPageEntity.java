package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All join tokens. */
@Json
public record TokenPageEntity(@Nullable List<TokenEntity> tokens) implements Entity {

  public TokenPageEntity {
    tokens = Absent.ifEmpty(tokens);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** All join tokens. */
@Json
public record TokenPageEntity(List<TokenEntity> tokens) implements Entity {

  public TokenPageEntity {
    tokens = Empty.ifAbsent(tokens);
  }
}

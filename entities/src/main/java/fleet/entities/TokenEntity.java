package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A join token.
 *
 * @param ttlSeconds how long it is to be good for, where one is asked for
 * @param token its text, where it was made just now
 */
@Json
public record TokenEntity(
    @Nullable String by,
    @Nullable String created,
    @Nullable String expires,
    @Nullable String id,
    @Nullable String role,
    @Nullable String token,
    @Nullable Long ttlSeconds)
    implements Entity {

  public TokenEntity {
    by = Absent.ifEmpty(by);
    created = Absent.ifEmpty(created);
    expires = Absent.ifEmpty(expires);
    id = Absent.ifEmpty(id);
    role = Absent.ifEmpty(role);
    token = Absent.ifEmpty(token);
  }

  /** What asks for a new token. */
  public static TokenEntity wanted(String role, long ttlSeconds) {
    return new TokenEntity(null, null, null, null, role, null, ttlSeconds);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A join token.
 *
 * @param machine id of the only machine that it is for
 * @param token its text, where it was made just now
 * @param ttlSeconds how long it is to be good for, where one is asked for
 * @param usedBy ids of the machines that joined with it
 * @param uses how many machines may join with it; absent for any number, or where one is asked for,
 *     for what is usual, and 0 is any number there
 */
@Json
public record TokenEntity(
    @Nullable String by,
    @Nullable String created,
    @Nullable String expires,
    @Nullable String id,
    @Nullable String machine,
    @Nullable String role,
    @Nullable String token,
    @Nullable Long ttlSeconds,
    @Nullable List<String> usedBy,
    @Nullable Long uses)
    implements Entity {

  public TokenEntity {
    by = Absent.ifEmpty(by);
    created = Absent.ifEmpty(created);
    expires = Absent.ifEmpty(expires);
    id = Absent.ifEmpty(id);
    machine = Absent.ifEmpty(machine);
    role = Absent.ifEmpty(role);
    token = Absent.ifEmpty(token);
    usedBy = Absent.ifEmpty(usedBy);
  }

  /**
   * Asks for a new token.
   *
   * @param machine id of the only machine that it is to be for; null for any
   * @param uses null for what is usual
   */
  public static TokenEntity wanted(
      String role, long ttlSeconds, @Nullable String machine, @Nullable Long uses) {
    return new TokenEntity(null, null, null, null, machine, role, null, ttlSeconds, null, uses);
  }
}

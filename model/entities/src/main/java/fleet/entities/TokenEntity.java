package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A join token.
 *
 * @param machine id of the only machine that it is for
 * @param server where machines join with it, if it was made just now and that is known
 * @param token its text, if it was made just now
 * @param ttlSeconds how long it is to be good for, if one is asked for
 * @param usedBy ids of the machines that joined with it
 * @param uses how many machines may join with it; absent for any number, or if one is asked for,
 *     for what is usual, and 0 is any number there
 */
@Json
public record TokenEntity(
    String by,
    String created,
    String expires,
    String id,
    String machine,
    String role,
    String server,
    String token,
    @Nullable Long ttlSeconds,
    List<String> usedBy,
    @Nullable Long uses)
    implements Entity {

  public TokenEntity {
    by = Empty.ifAbsent(by);
    created = Empty.ifAbsent(created);
    expires = Empty.ifAbsent(expires);
    id = Empty.ifAbsent(id);
    machine = Empty.ifAbsent(machine);
    role = Empty.ifAbsent(role);
    server = Empty.ifAbsent(server);
    token = Empty.ifAbsent(token);
    usedBy = Empty.ifAbsent(usedBy);
  }

  /**
   * Asks for a new token.
   *
   * @param machine id of the only machine that it is to be for; empty for any
   * @param uses null for what is usual
   */
  public static TokenEntity wanted(
      String role, long ttlSeconds, String machine, @Nullable Long uses) {
    return new TokenEntity("", "", "", "", machine, role, "", "", ttlSeconds, List.of(), uses);
  }
}

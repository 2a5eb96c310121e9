package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An invitation to log in.
 *
 * @param code its code, where it was made just now
 * @param servers where to log in, as {@code HOST:PORT}
 * @param role with the next two the grant, where one is to be made; see {@link GrantEntity}
 * @param ttlSeconds how long it is to be good for, where one is asked for
 */
@Json
public record InvitationEntity(
    @Nullable String by,
    @Nullable String code,
    @Nullable String expires,
    @Nullable String id,
    @Nullable List<String> servers,
    @Nullable String role,
    @Nullable List<String> units,
    @Nullable Map<String, String> metadata,
    @Nullable Long ttlSeconds)
    implements Entity {

  public InvitationEntity {
    by = Absent.ifEmpty(by);
    code = Absent.ifEmpty(code);
    expires = Absent.ifEmpty(expires);
    id = Absent.ifEmpty(id);
    servers = Absent.ifEmpty(servers);
    role = Absent.ifEmpty(role);
    units = Absent.ifEmpty(units);
    metadata = metadata == null || metadata.isEmpty() ? null : metadata;
  }

  /** One that is there. */
  public static InvitationEntity open(
      String id, String by, String expires, @Nullable String code, List<String> servers) {
    return new InvitationEntity(by, code, expires, id, servers, null, null, null, null);
  }

  /** Asks for one. */
  public static InvitationEntity wanted(GrantEntity grant, @Nullable Long ttlSeconds) {
    return new InvitationEntity(
        null, null, null, null, null, grant.role(), grant.units(), grant.metadata(), ttlSeconds);
  }
}

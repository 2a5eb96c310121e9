package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An invitation to log in.
 *
 * @param code its code, if it was made just now
 * @param servers where to log in, as {@code HOST:PORT}
 * @param role with the next two the grant, if one is to be made; see {@link GrantEntity}
 * @param ttlSeconds how long it is to be good for, if one is asked for
 */
@Json
public record InvitationEntity(
    String by,
    String code,
    String expires,
    String id,
    List<String> servers,
    String role,
    List<String> units,
    Map<String, String> metadata,
    @Nullable Long ttlSeconds)
    implements Entity {

  public InvitationEntity {
    by = Empty.ifAbsent(by);
    code = Empty.ifAbsent(code);
    expires = Empty.ifAbsent(expires);
    id = Empty.ifAbsent(id);
    servers = Empty.ifAbsent(servers);
    role = Empty.ifAbsent(role);
    units = Empty.ifAbsent(units);
    metadata = metadata == null ? Map.of() : metadata;
  }

  /** One that is there. */
  public static InvitationEntity open(
      String id, String by, String expires, String code, List<String> servers) {
    return new InvitationEntity(by, code, expires, id, servers, "", List.of(), Map.of(), null);
  }

  /** Asks for one. */
  public static InvitationEntity wanted(GrantEntity grant, @Nullable Long ttlSeconds) {
    return new InvitationEntity(
        "", "", "", "", List.of(), grant.role(), grant.units(), grant.metadata(), ttlSeconds);
  }
}

package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A role that a subject has.
 *
 * @param subject such as {@code person:alice} or {@code machine:<id>}
 * @param role viewer, operator or admin
 * @param units patterns of unit names; absent for all units
 * @param metadata what machines must have; absent for all machines
 * @param by who gave it
 * @param loggedIn whether its person has logged in, and may come back
 * @param invitations with which its person can still log in
 */
@Json
public record GrantEntity(
    String subject,
    String role,
    List<String> units,
    Map<String, String> metadata,
    String by,
    @Nullable Boolean loggedIn,
    List<InvitationEntity> invitations)
    implements Entity {

  public GrantEntity {
    subject = Empty.ifAbsent(subject);
    role = Empty.ifAbsent(role);
    units = Empty.ifAbsent(units);
    metadata = metadata == null ? Map.of() : metadata;
    by = Empty.ifAbsent(by);
    invitations = Empty.ifAbsent(invitations);
  }

  /** A grant that is to be made. */
  public static GrantEntity wanted(String role, List<String> units, Map<String, String> metadata) {
    return new GrantEntity("", role, units, metadata, "", null, List.of());
  }
}

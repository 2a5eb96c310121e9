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
    @Nullable String subject,
    @Nullable String role,
    @Nullable List<String> units,
    @Nullable Map<String, String> metadata,
    @Nullable String by,
    @Nullable Boolean loggedIn,
    @Nullable List<InvitationEntity> invitations)
    implements Entity {

  public GrantEntity {
    subject = Absent.ifEmpty(subject);
    role = Absent.ifEmpty(role);
    units = Absent.ifEmpty(units);
    metadata = metadata == null || metadata.isEmpty() ? null : metadata;
    by = Absent.ifEmpty(by);
    invitations = Absent.ifEmpty(invitations);
  }

  /** A grant that is to be made. */
  public static GrantEntity wanted(
      @Nullable String role, List<String> units, Map<String, String> metadata) {
    return new GrantEntity(null, role, units, metadata, null, null, null);
  }
}

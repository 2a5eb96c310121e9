package fleet.registry.records;

import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.collection.OrderedCopy;
import fleet.core.requirements.Glob;
import fleet.registry.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The value of {@code access/<subject>}: the rights of a subject, and the logins and invitations of
 * a person. All of them end together.
 *
 * @param units patterns of unit names; empty for all
 * @param metadata what machines must have; empty for all machines
 * @param by who gave it
 * @param logins the keys that count for this person
 * @param invitations with which more may come, and used ones for a while
 */
public record GrantRecord(
    AccessRole role,
    List<String> units,
    Map<String, String> metadata,
    String by,
    List<LoginRecord> logins,
    List<InvitationRecord> invitations,
    UnknownFields unknown) {

  /** The record of a grant. */
  public GrantRecord(Grant grant, String by) {
    this(
        grant.role(),
        grant.units().stream().map(Glob::pattern).toList(),
        grant.metadata(),
        by,
        List.of(),
        List.of(),
        UnknownFields.NONE);
  }

  public static GrantRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new GrantRecord(
        fields.meaning("role", AccessRole::ofText),
        fields.texts("units"),
        fields.textsByName("metadata"),
        fields.text("by"),
        fields.partsIfAny("logins").stream().map(LoginRecord::of).toList(),
        fields.partsIfAny("invitations").stream().map(InvitationRecord::of).toList(),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("role", role.text())
        .put("units", units)
        .put("metadata", metadata)
        .put("by", by)
        .put("logins", logins.stream().map(LoginRecord::fields))
        .put("invitations", invitations.stream().map(InvitationRecord::fields))
        .render(unknown);
  }

  public Grant grant(GrantHolder holder) {
    return new Grant(holder, role, units.stream().map(Glob::new).toList(), metadata)
        .withKeys(OrderedCopy.of(logins.stream().flatMap(LoginRecord::keys).toList()));
  }

  /** Another grant for the same person, who stays logged in. */
  public GrantRecord replacedBy(Grant grant, String giver) {
    GrantRecord next = new GrantRecord(grant, giver);
    return new GrantRecord(
        next.role, next.units, next.metadata, next.by, logins, invitations, unknown);
  }

  private GrantRecord with(
      Stream<LoginRecord> newLogins, Stream<InvitationRecord> newInvitations, Instant now) {
    return new GrantRecord(
        role,
        units,
        metadata,
        by,
        newLogins.filter(login -> now.isBefore(login.until())).toList(),
        newInvitations.filter(one -> now.isBefore(one.forgotten())).toList(),
        unknown);
  }

  public GrantRecord invited(InvitationRecord invitation, Instant now) {
    return with(logins.stream(), Stream.concat(invitations.stream(), Stream.of(invitation)), now);
  }

  /** The same when the person has come with an invitation. */
  public GrantRecord loggedIn(InvitationRecord with, LoginRecord login, Instant now) {
    return with(
        Stream.concat(logins.stream(), Stream.of(login)),
        invitations.stream().map(one -> one.id().equals(with.id()) ? one.usedAt(now) : one),
        now);
  }

  /** The same after a renewal with a key that counts. */
  public GrantRecord renewed(String presented, String next, Instant until, Instant now) {
    List<LoginRecord> changed = new ArrayList<>();
    for (LoginRecord login : logins) {
      changed.add(login.has(presented) ? new LoginRecord(next, presented, until) : login);
    }
    return with(changed.stream(), invitations.stream(), now);
  }
}

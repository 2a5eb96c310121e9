package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.Invitation;
import fleet.cluster.NewInvitation;
import fleet.core.access.AccessDecision;
import fleet.core.access.AccessPolicy;
import fleet.core.access.AccessRole;
import fleet.core.access.Action;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.Subject;
import fleet.core.access.Target;
import fleet.core.requirements.Glob;
import fleet.core.unit.UnitName;
import fleet.entities.AccessCheckEntity;
import fleet.entities.GrantEntity;
import fleet.entities.GrantsEntity;
import fleet.entities.InvitationEntity;
import fleet.entities.WhoAmIEntity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Grants: list, grant, revoke, and check what they allow. */
final class AccessResource {

  /** A user whose number is not a number. */
  private static final long SOME_USER = -1;

  private static final String ROOT = "root";

  /** The default lifetime of an invitation. */
  private static final Duration DEFAULT_LIFE = Duration.ofHours(1);

  void list(Exchange exchange) throws IOException {
    exchange.reply(
        new GrantsEntity(
            exchange.own().grants().list().stream().map(AccessResource::entity).toList()));
  }

  void grant(Exchange exchange, String name) throws IOException {
    GrantHolder holder = holder(name);
    Grant grant = wanted(holder, exchange.json(GrantEntity.class));
    exchange.own().grants().grant(grant, exchange.caller());
    exchange.reply(204);
  }

  void revoke(Exchange exchange, String name) throws IOException {
    GrantHolder holder = holder(name);
    if (!exchange.own().grants().revoke(holder, exchange.caller()) && !exchange.isRepeated()) {
      throw new RefusedException(404, holder + " has no grant");
    }
    exchange.reply(204);
  }

  void invite(Exchange exchange, String name) throws IOException {
    exchange.expectJson();
    GrantHolder person = holder(name);
    InvitationEntity asked = exchange.body(InvitationEntity.class);
    Long seconds = asked.ttlSeconds();
    GrantEntity wanted = GrantEntity.wanted(asked.role(), asked.units(), asked.metadata());
    boolean isLimited = !wanted.units().isEmpty() || !wanted.metadata().isEmpty();
    if (wanted.role().isEmpty() && isLimited) {
      throw RefusedException.badRequest("a grant needs a role: viewer, operator or admin");
    }
    Optional<Grant> grant =
        wanted.role().isEmpty() ? Optional.empty() : Optional.of(wanted(person, wanted));
    Duration life = seconds == null ? DEFAULT_LIFE : Duration.ofSeconds(seconds);
    NewInvitation made =
        RefusedException.ifInvalid(
            () -> exchange.own().logins().invite(person, grant, life, exchange.caller()));
    Invitation invitation = made.invitation();
    exchange
        .answer()
        .touch(
            person.toString(),
            201,
            "invitation %s, until %s%s"
                .formatted(
                    invitation.id(),
                    invitation.expires(),
                    grant.map(given -> ", " + given.text()).orElse("")));
    exchange.reply(201, entity(invitation, made.code(), made.servers()));
  }

  private static InvitationEntity entity(Invitation invitation, String code, List<String> servers) {
    return InvitationEntity.open(
        invitation.id(), invitation.by(), invitation.expires().toString(), code, servers);
  }

  private static GrantHolder holder(String name) {
    return GrantHolder.parse(name)
        .orElseThrow(() ->
            RefusedException.badRequest(
                "invalid subject \"%s\": expect NAME, user:NAME, group:NAME or machine:ID"
                    .formatted(name)));
  }

  private static Grant wanted(GrantHolder holder, GrantEntity asked) {
    String role = asked.role();
    List<Glob> units = asked.units().stream().map(Glob::new).toList();
    units.stream()
        .filter(glob -> !glob.isWellFormed() || glob.pattern().isEmpty())
        .findFirst()
        .ifPresent(glob -> {
          throw RefusedException.badRequest("invalid unit \"" + glob + "\": malformed pattern");
        });
    return new Grant(
        holder,
        AccessRole.ofText(role)
            .orElseThrow(() ->
                RefusedException.badRequest(
                    "invalid role \"" + role + "\": expect viewer, operator or admin")),
        units,
        asked.metadata());
  }

  private static GrantEntity entity(AccessGrants.Given given) {
    Grant grant = given.grant();
    return new GrantEntity(
        grant.holder().toString(),
        grant.role().text(),
        grant.units().stream().map(Glob::pattern).toList(),
        grant.metadata(),
        given.by(),
        grant.keys().isEmpty() ? null : true,
        given.invitations().stream().map(one -> entity(one, "", List.of())).toList());
  }

  // ---- the caller

  /** The rights of the caller, for programs that offer nothing else. */
  void caller(Exchange exchange) throws IOException {
    Access access = exchange.access();
    List<Action> allowed =
        Stream.of(Action.values()).filter(one -> access.allows(one, Route.target(one))).toList();
    exchange.reply(
        new WhoAmIEntity(
            exchange.caller().name(),
            access.role().map(AccessRole::text).orElse(null),
            allowed.stream().map(Action::text).toList(),
            allowed.stream().filter(access::isLimited).map(Action::text).toList()));
  }

  // ---- try out

  void check(Exchange exchange) throws IOException {
    AccessCheckEntity asked = exchange.json(AccessCheckEntity.class);
    GrantHolder holder = holder(asked.subject());
    Action action = action(asked.action());
    List<Grant> grants =
        exchange.own().grants().list().stream().map(AccessGrants.Given::grant).toList();
    AccessDecision decision =
        new AccessPolicy(grants).decide(subject(holder), action, target(exchange, asked.unit()));
    exchange.reply(entity(asked, decision));
  }

  private static Action action(String text) {
    return Action.ofText(text)
        .orElseThrow(() ->
            RefusedException.badRequest(
                "invalid action \"%s\": expect one of %s"
                    .formatted(
                        text,
                        String.join(", ", Stream.of(Action.values()).map(Action::text).toList()))));
  }

  /**
   * A subject of that name; a user's groups are not known here, since they belong to the machine.
   */
  private static Subject subject(GrantHolder holder) {
    String name = holder.name();
    return switch (holder.kind()) {
      case USER -> new Subject.User(name, name.equals(ROOT) ? 0 : SOME_USER, Set.of());
      case GROUP -> new Subject.User("of group " + name, SOME_USER, Set.of(name));
      case PERSON -> new Subject.Person(name, Optional.empty());
      case MACHINE -> new Subject.Joined(name, "");
      case ADDRESS -> new Subject.Anybody(name);
    };
  }

  private static Target target(Exchange exchange, String unit) {
    if (unit.isEmpty()) {
      return Target.CLUSTER;
    }
    UnitName name = PutRequest.name(unit);
    return new Targets(exchange.cluster()).of(name);
  }

  private static AccessCheckEntity entity(AccessCheckEntity asked, AccessDecision decision) {
    return switch (decision) {
      case AccessDecision.Allowed(Grant by) ->
          new AccessCheckEntity(
              asked.subject(), asked.action(), asked.unit(), true, by.words(), "");
      case AccessDecision.Refused refused ->
          new AccessCheckEntity(
              asked.subject(), asked.action(), asked.unit(), false, "", refused.because());
    };
  }
}

package fleet.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.requirements.Glob;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessPolicyTest {

  private static final Subject ALICE = new Subject.Person("alice", Optional.empty());
  private static final Place EU = new Place("m1", Map.of("region", "eu", "disk", "ssd"));
  private static final Place US = new Place("m2", Map.of("region", "us"));

  private static Subject user(String name, long uid, String... groups) {
    return new Subject.User(name, uid, Set.of(groups));
  }

  private static Grant grant(String holder, AccessRole role, String... units) {
    return new Grant(
        GrantHolder.parse(holder).orElseThrow(),
        role,
        List.of(units).stream().map(Glob::new).toList(),
        Map.of());
  }

  private static Grant inEurope(AccessRole role) {
    return new Grant(
        GrantHolder.parse("alice").orElseThrow(), role, List.of(), Map.of("region", "eu"));
  }

  private static Target unit(String name, Place... places) {
    return new Target.OfUnit(UnitName.of(name), List.of(places));
  }

  private static AccessPolicy policy(Grant... grants) {
    return new AccessPolicy(List.of(grants));
  }

  // ---- subjects

  @Test
  void nobodyWithoutAGrantMayDoAnything() {
    for (Action action : Action.values()) {
      assertThat(AccessPolicy.NO_GRANTS.allows(ALICE, action, Target.SOMETHING)).isFalse();
      assertThat(AccessPolicy.NO_GRANTS.allows(user("bob", 1000, "bob"), action, Target.SOMETHING))
          .as("%s of a user of this machine", action)
          .isEqualTo(action == Action.HEALTH);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, root, ADMIN",
    "1000, fleet, ADMIN",
    "1000, fleet-operator, OPERATOR",
    "1000, fleet-viewer, VIEWER"
  })
  void rootAndTheGroupsOfFleetHaveTheirRoles(long uid, String group, AccessRole role) {
    Subject subject = user("u", uid, group);
    for (Action action : Action.values()) {
      assertThat(AccessPolicy.NO_GRANTS.allows(subject, action, Target.CLUSTER))
          .as(action.text())
          .isEqualTo(role.includes(action.role()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"user:bob", "group:dev"})
  void usersHaveTheGrantsOfTheirNameAndTheirGroups(String holder) {
    AccessPolicy policy = policy(grant(holder, AccessRole.OPERATOR));
    assertThat(policy.allows(user("bob", 1000, "bob", "dev"), Action.START, Target.CLUSTER))
        .isTrue();
    assertThat(policy.allows(user("eve", 1001, "eve"), Action.START, Target.CLUSTER)).isFalse();
  }

  /** A certificate for the name of a user, or the other way round, is another subject. */
  @ParameterizedTest
  @ValueSource(strings = {"user:alice", "group:alice", "machine:alice"})
  void aNameOfOneKindIsNoneOfAnother(String holder) {
    assertThat(policy(grant(holder, AccessRole.ADMIN)).of(ALICE)).isEmpty();
  }

  @Test
  void aCertificateNamedRootIsNotRoot() {
    Subject subject = new Subject.Person("root", Optional.empty());
    assertThat(policy(grant("user:root", AccessRole.ADMIN)).of(subject)).isEmpty();
  }

  /** A copy of a certificate would come back to life with the next grant. */
  @Test
  void aLoginCountsWithTheGrantThatItWasMadeUnder() {
    Grant grant = grant("alice", AccessRole.OPERATOR);
    Subject alice = Subject.Person.loggedIn("alice", "k1");
    assertThat(policy(grant.withKeys(Set.of("k1", "k2"))).of(alice)).hasSize(1);
    assertThat(policy(grant.withKeys(Set.of("k2"))).of(alice)).isEmpty();
    assertThat(policy(grant).of(alice)).isEmpty();
    assertThat(policy(grant).decide(alice, Action.LIST, Target.CLUSTER))
        .isEqualTo(
            new AccessDecision.Refused(
                "person alice may not list units and machines: this login has ended, as its grant"
                    + " was revoked",
                "fleetctl access invite person:alice --role=viewer"));
  }

  /** Else each renewal would end the open streams of all. */
  @Test
  void otherLoginsOfThePersonMakeNoDifference() {
    Grant grant = grant("alice", AccessRole.OPERATOR);
    Subject alice = Subject.Person.loggedIn("alice", "k1");
    assertThat(policy(grant.withKeys(Set.of("k1", "k2"))).onlyFor(alice))
        .isEqualTo(policy(grant.withKeys(Set.of("k1", "k3"))).onlyFor(alice))
        .isNotEqualTo(policy(grant.withKeys(Set.of("k3"))).onlyFor(alice));
  }

  @Test
  void aStrangerMayLogInAndNothingElse() {
    Subject stranger = new Subject.Stranger("10.0.0.9");
    for (Action action : Action.values()) {
      for (Target target : everyTarget()) {
        assertThat(AccessPolicy.NO_GRANTS.allows(stranger, action, target))
            .as("%s %s", action, target)
            .isEqualTo(action == Action.LOGIN);
      }
    }
  }

  @Test
  void anAuthorityThatVouchesGivesItsRole() {
    Subject subject = new Subject.Person("ops", Optional.of(AccessRole.OPERATOR));
    assertThat(AccessPolicy.NO_GRANTS.allows(subject, Action.START, Target.CLUSTER)).isTrue();
    assertThat(AccessPolicy.NO_GRANTS.allows(subject, Action.TOKENS, Target.CLUSTER)).isFalse();
  }

  @Test
  void aJoinedMachineSeesItselfAndCommandsNothing() {
    Subject machine = new Subject.Joined("m1", "user root");
    AccessPolicy none = AccessPolicy.NO_GRANTS;
    assertThat(none.allows(machine, Action.LIST, unit("a.service", EU))).isTrue();
    assertThat(none.allows(machine, Action.JOURNAL, unit("a.service", US, EU))).isTrue();
    assertThat(none.allows(machine, Action.LIST, new Target.OfMachine(EU))).isTrue();
    assertThat(none.allows(machine, Action.LIST, unit("a.service", US))).isFalse();
    assertThat(none.allows(machine, Action.LIST, new Target.OfMachine(US))).isFalse();
    assertThat(none.allows(machine, Action.LIST, Target.CLUSTER)).isFalse();
    assertThat(none.allows(machine, Action.CAT, unit("a.service", EU))).isFalse();
    assertThat(none.allows(machine, Action.STOP, unit("a.service", EU))).isFalse();
  }

  @Test
  void aJoinedMachineWithAGrantCommands() {
    Subject machine = new Subject.Joined("m1", "user root");
    AccessPolicy policy = policy(grant("machine:m1", AccessRole.OPERATOR));
    assertThat(policy.allows(machine, Action.STOP, unit("a.service", US))).isTrue();
    assertThat(policy.of(new Subject.Joined("m2", "user root")))
        .allSatisfy(grant -> assertThat(grant.role()).isEqualTo(AccessRole.VIEWER));
  }

  // ---- limits

  @Test
  void aGrantOfSomeUnitsIsOfTheseOnly() {
    AccessPolicy policy = policy(grant("alice", AccessRole.OPERATOR, "web@*", "db.service"));
    assertThat(policy.allows(ALICE, Action.START, unit("web@1.service"))).isTrue();
    assertThat(policy.allows(ALICE, Action.CAT, unit("db.service", EU))).isTrue();
    assertThat(policy.allows(ALICE, Action.START, unit("other.service"))).isFalse();
    assertThat(policy.allows(ALICE, Action.LIST, Target.CLUSTER)).isFalse();
    assertThat(policy.allows(ALICE, Action.LIST, new Target.OfMachine(US))).isTrue();
  }

  @Test
  void aGrantOfSomeUnitsIsNoneOfMachines() {
    AccessPolicy policy = policy(grant("alice", AccessRole.ADMIN, "web@*"));
    assertThat(policy.allows(ALICE, Action.DRAIN, new Target.OfMachine(EU))).isFalse();
    assertThat(policy.allows(ALICE, Action.TOKENS, Target.CLUSTER)).isFalse();
  }

  @Test
  void aGrantOfSomeMachinesIsOfUnitsThereOnly() {
    AccessPolicy policy = policy(inEurope(AccessRole.OPERATOR));
    assertThat(policy.allows(ALICE, Action.STOP, unit("a.service", EU))).isTrue();
    assertThat(policy.allows(ALICE, Action.STOP, unit("a.service", US))).isFalse();
    assertThat(policy.allows(ALICE, Action.START, unit("a.service"))).isFalse();
    // A global unit: it can be seen there, and stops on all machines.
    assertThat(policy.allows(ALICE, Action.STATUS, unit("a.service", US, EU))).isTrue();
    assertThat(policy.allows(ALICE, Action.STOP, unit("a.service", US, EU))).isFalse();
  }

  // ---- properties

  private static List<Grant> everyGrant() {
    return List.of(AccessRole.values()).stream()
        .flatMap(role ->
            List.of(
                grant("alice", role),
                grant("alice", role, "web@*"),
                inEurope(role),
                grant("user:alice", role))
                .stream())
        .toList();
  }

  private static List<Target> everyTarget() {
    return List.of(
        Target.SOMETHING,
        Target.CLUSTER,
        unit("web@1.service"),
        unit("web@1.service", EU, US),
        unit("db.service", EU),
        new Target.OfMachine(EU),
        new Target.OfMachine(US));
  }

  @Test
  void moreGrantsNeverAllowLess() {
    for (Grant first : everyGrant()) {
      for (Grant second : everyGrant()) {
        for (Action action : Action.values()) {
          for (Target target : everyTarget()) {
            boolean one = policy(first).allows(ALICE, action, target);
            boolean other = policy(second).allows(ALICE, action, target);
            assertThat(policy(first, second).allows(ALICE, action, target))
                .as("%s and %s: %s %s", first.text(), second.text(), action, target)
                .isEqualTo(one || other);
          }
        }
      }
    }
  }

  /** A limited grant reaches only what the same grant without limits reaches. */
  @Test
  void limitsOnlyTakeAway() {
    for (Grant limited : everyGrant()) {
      Grant unlimited = new Grant(limited.holder(), limited.role(), List.of(), Map.of());
      for (Action action : Action.values()) {
        for (Target target : everyTarget()) {
          if (policy(limited).allows(ALICE, action, target)) {
            assertThat(policy(unlimited).allows(ALICE, action, target)).isTrue();
          }
        }
      }
    }
  }

  @Test
  void aDecisionNamesAGrantThatAllowsByItself() {
    for (Grant first : everyGrant()) {
      for (Action action : Action.values()) {
        for (Target target : everyTarget()) {
          AccessPolicy policy = policy(first, grant("alice", AccessRole.VIEWER, "db.*"));
          if (policy.decide(ALICE, action, target) instanceof AccessDecision.Allowed(Grant by)) {
            assertThat(policy(by).allows(ALICE, action, target)).isTrue();
          } else {
            assertThat(policy.allows(ALICE, action, target)).isFalse();
          }
        }
      }
    }
  }

  // ---- refusals

  @Test
  void aRefusalSaysWhatTheSubjectHasAndWhichCommandGivesIt() {
    AccessDecision decision =
        policy(grant("alice", AccessRole.VIEWER, "web@*"))
            .decide(ALICE, Action.START, unit("db.service"));
    assertThat(decision)
        .isEqualTo(
            new AccessDecision.Refused(
                "certificate CN=alice may not start db.service: that needs the role operator, and"
                    + " certificate CN=alice has only the role viewer for units web@*, by a grant"
                    + " to person:alice; a viewer may see units, machines, events and journals",
                "fleetctl access grant person:alice --role=operator"));
  }

  @ParameterizedTest
  @CsvSource({
    "fleet-viewer, START, operator, 'viewer, as a member of group fleet-viewer; a viewer may see"
        + " units, machines, events and journals'",
    "fleet-operator, DRAIN, admin, 'operator, as a member of group fleet-operator; an operator may"
        + " also read and change units'"
  })
  void aRefusalSaysThatARoleIsThatOfAGroup(
      String group, Action action, String needed, String held) {
    Subject anna = new Subject.User("anna", 1000, Set.of(group));
    AccessDecision.Refused refused =
        (AccessDecision.Refused) AccessPolicy.NO_GRANTS.decide(anna, action, unit("db.service"));
    assertThat(refused.text())
        .isEqualTo(
            "user anna may not %s db.service: that needs the role %s, and user anna has only the"
                    .formatted(action.text(), needed)
                + " role %s; to allow it, run on a server: fleetctl access grant user:anna --role=%s"
                    .formatted(held, needed));
  }

  @Test
  void aRefusalForTheLimitsOfAGrantNamesThem() {
    AccessPolicy policy = policy(grant("alice", AccessRole.OPERATOR, "web@*"));
    assertThat(policy.decide(ALICE, Action.START, unit("db.service")))
        .extracting(decision -> ((AccessDecision.Refused) decision).because())
        .isEqualTo(
            "certificate CN=alice may not start db.service: that needs the role operator for"
                + " db.service, and certificate CN=alice has only the role operator for units"
                + " web@*, by a grant to person:alice");
  }

  @Test
  void aRefusedMachineIsToldOfTheCommandForItself() {
    AccessDecision decision =
        AccessPolicy.NO_GRANTS.decide(
            new Subject.Joined("m1", "user root"), Action.DESTROY, unit("a.service", EU));
    assertThat(((AccessDecision.Refused) decision).text())
        .startsWith("user root on m1 may not destroy a.service")
        .contains(
            "has only the role viewer for machine m1, as every machine has for itself; a viewer")
        .endsWith("run on a server: fleetctl access grant machine:m1 --role=operator");
  }

  @ParameterizedTest
  @CsvSource({
    "TOKENS, 'list, make or revoke join tokens'",
    "ACCESS, see or change grants",
    "DRAIN, drain machines"
  })
  void aRefusalOfWhatIsAboutTheClusterReadsAsASentence(Action action, String words) {
    AccessDecision decision = AccessPolicy.NO_GRANTS.decide(ALICE, action, Target.CLUSTER);
    assertThat(((AccessDecision.Refused) decision).because())
        .isEqualTo(
            "certificate CN=alice may not "
                + words
                + ": that needs the role admin, and certificate CN=alice has no role");
  }

  // ---- names

  @ParameterizedTest
  @CsvSource({
    "alice, person:alice",
    "user:bob, user:bob",
    "machine:0af, machine:0af",
    "group:dev, group:dev",
    "ops@example.org, person:ops@example.org"
  })
  void namesOfHoldersAreRead(String text, String holder) {
    assertThat(GrantHolder.parse(text).orElseThrow()).hasToString(holder);
    assertThat(GrantHolder.parse(holder)).isEqualTo(GrantHolder.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "user:", "robot:x", "address:1.2.3.4", "a b", "a/b", "a\nb", "user:a:b", "é"})
  void namesOfNobodyAreRefused(String text) {
    assertThat(GrantHolder.parse(text)).isEmpty();
  }
}

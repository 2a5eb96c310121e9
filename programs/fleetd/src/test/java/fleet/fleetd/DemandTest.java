package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.machine.Role;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.GrantRecord;
import fleet.registry.records.InvitationRecord;
import fleet.registry.records.JoinedRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.LoginRecord;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemandTest {

  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;
  private final Semaphore told = new Semaphore(0);
  private Registry registry;
  private NetworkDemand demand;

  @BeforeEach
  void begin() throws Exception {
    registry = EmbeddedRegistry.open(directory);
    demand = NetworkDemand.toJoin(registry, new JoinedMark(registry, CLOCK), CLOCK);
  }

  @AfterEach
  void end() {
    registry.close();
  }

  private void token(Clock clock) {
    var keys = new ServerKeys(registry, new ServerKeyFile(directory), "m1", clock);
    new RegistryJoinTokens(registry, new StoredAuthority(registry, keys, clock), clock)
        .create(Role.AGENT, Duration.ofHours(1), new Caller("user root"));
  }

  @Test
  void thereIsNoneBeforeTheFirstToken() throws Exception {
    demand.whenThere(told::release);
    assertThat(told.tryAcquire()).isFalse();

    token(CLOCK);
    told.acquire();
  }

  @Test
  void aTokenThatHasExpiredIsNone() throws Exception {
    token(Clock.offset(CLOCK, Duration.ofHours(-2)));
    demand.whenThere(told::release);
    assertThat(told.tryAcquire()).isFalse();

    token(CLOCK);
    told.acquire();
  }

  @Test
  void aGoodTokenOfBeforeIsOne() {
    token(CLOCK);
    demand.whenThere(told::release);
    assertThat(told.tryAcquire()).isTrue();
  }

  @Test
  void peopleComeWithTheFirstInvitation() throws Exception {
    NetworkDemand people = NetworkDemand.toLogIn(registry, CLOCK);
    Grant alice =
        new Grant(GrantHolder.parse("alice").orElseThrow(), AccessRole.VIEWER, List.of(), Map.of());
    GrantRecord granted = new GrantRecord(alice, "user root");
    write(granted);
    people.whenThere(told::release);
    assertThat(told.tryAcquire()).as("a grant for a certificate of api_cafile").isFalse();

    Instant now = CLOCK.instant();
    InvitationRecord invitation =
        new InvitationRecord("i1", "", now.plusSeconds(3600), "", "user root", Optional.empty());
    write(granted.invited(invitation, now));
    told.acquire();
  }

  @Test
  void whoHasLoggedInMayComeBack() {
    Grant alice =
        new Grant(GrantHolder.parse("alice").orElseThrow(), AccessRole.VIEWER, List.of(), Map.of());
    Instant now = CLOCK.instant();
    InvitationRecord used = new InvitationRecord("i1", "", now, "", "user root", Optional.of(now));
    write(
        new GrantRecord(alice, "user root")
            .loggedIn(used, new LoginRecord("k1", "", now.plusSeconds(3600)), now));
    NetworkDemand.toLogIn(registry, CLOCK).whenThere(told::release);
    assertThat(told.tryAcquire()).isTrue();
  }

  private void write(GrantRecord grant) {
    registry.commit(Transaction.when().put(Keys.access("person:alice"), grant.json()).build());
  }

  @Test
  void aMachineThatHasJoinedMayComeBack() {
    registry.commit(
        Transaction.when()
            .absent(Keys.JOINED)
            .put(Keys.JOINED, new JoinedRecord(Instant.now()).json())
            .build());
    demand.whenThere(told::release);
    assertThat(told.tryAcquire()).isTrue();
  }
}

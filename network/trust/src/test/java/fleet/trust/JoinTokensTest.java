package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokenRequest;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.Role;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinTokensTest {

  private static final String MACHINE = "a9e17000000000000000000000000001";
  private static final Caller CALLER = new Caller("user root");

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private Identity joinWith(TokenText token) throws Exception {
    return joinWith(token, MACHINE);
  }

  private Identity joinWith(TokenText token, String machine) throws Exception {
    return cluster.file().obtain(machine, cluster.redeeming(token, machine));
  }

  @Test
  void aTokenBuysItsRoleAsOftenAsNeeded() throws Exception {
    TokenText agents = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    for (String machine : List.of("m1", "m2", "m3")) {
      assertThat(joinWith(agents, machine).peer()).isEqualTo(new Peer(machine, Role.AGENT));
    }
    assertThat(joinWith(cluster.token(Role.SERVER, EnrollingCluster.DAY)).peer().role())
        .isEqualTo(Role.SERVER);
    assertThat(cluster.tokens.list())
        .filteredOn(token -> token.id().equals(agents.id()))
        .first()
        .satisfies(token -> assertThat(token.usedBy()).containsExactly("m1", "m2", "m3"));
  }

  @Test
  void aTokenForAServerIsForOne() throws Exception {
    TokenText servers = cluster.token(Role.SERVER, EnrollingCluster.DAY);
    joinWith(servers, "s1");

    assertThatThrownBy(() -> joinWith(servers, "s2"))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("the token was for 1 machine, and was used by s1");
    assertThat(cluster.tokens.list().getFirst().usedBy()).containsExactly("s1");
  }

  @Test
  void aTokenIsUsedAsOftenAsItMayBeAlsoByManyAtOnce() throws Exception {
    JoinTokenRequest wish =
        new JoinTokenRequest(Role.AGENT, EnrollingCluster.DAY, OptionalInt.of(3), Optional.empty());
    TokenText token = TokenText.parse(cluster.tokens.create(wish, CALLER).text());
    List<Callable<Identity>> joining = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String machine = "m" + i;
      joining.add(() -> joinWith(token, machine));
    }

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long joined =
          threads.invokeAll(joining).stream()
              .filter(one -> one.state() == Future.State.SUCCESS)
              .count();
      assertThat(joined).isEqualTo(3);
    }
  }

  @Test
  void aTokenForOneMachineIsForNoOther() throws Exception {
    JoinTokenRequest wish =
        new JoinTokenRequest(
            Role.AGENT, EnrollingCluster.DAY, OptionalInt.empty(), Optional.of("m1"));
    TokenText token = TokenText.parse(cluster.tokens.create(wish, CALLER).text());

    assertThatThrownBy(() -> joinWith(token, "m2"))
        .hasMessageContaining("the token is for machine m1, and this is machine m2");
    assertThat(joinWith(token, "m1").peer().machine()).isEqualTo("m1");
  }

  /** The emergency procedure was: delete the authority. Its tokens let everybody in again. */
  @Test
  void tokensEndWithTheirAuthority() throws Exception {
    TokenText token = cluster.token(Role.SERVER, EnrollingCluster.DAY);
    clock.advance(Duration.ofHours(1));
    cluster.registry.commit(Transaction.when().delete(Keys.AUTHORITY).build());

    assertThatThrownBy(() -> joinWith(token))
        .hasMessageContaining("under an authority that the cluster has no more");
  }

  /** A token of the version before does not name its authority. */
  @Test
  void tokensOfAnOlderVersionEndWithTheirAuthorityToo() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY.multipliedBy(9));
    Entry entry = cluster.registry.get(Keys.token(token.id())).orElseThrow();
    String older = entry.value().replaceAll(",\"(authority|machine)\":\"[^\"]*\"", "");
    cluster.registry.commit(Transaction.when().put(entry.key(), older).build());
    assertThat(joinWith(token, "m1").peer().machine()).isEqualTo("m1");

    clock.advance(Duration.ofDays(3));
    cluster.registry.commit(Transaction.when().delete(Keys.AUTHORITY).build());
    assertThatThrownBy(() -> joinWith(token, "m2")).hasMessageContaining("under an authority");
  }

  @Test
  void aTokenPinsTheAuthorityThatVouches() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    assertThat(joinWith(token).authorityFingerprint()).isEqualTo(token.authority());
  }

  @Test
  void aWrongSecretIsRefused() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    var guess = new TokenText(token.id(), token.authority(), "0".repeat(32));

    assertThatThrownBy(() -> joinWith(guess))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("unknown, or was revoked");
  }

  @Test
  void anotherTokensSecretIsRefused() throws Exception {
    TokenText one = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    TokenText other = cluster.token(Role.SERVER, EnrollingCluster.DAY);
    var mixed = new TokenText(other.id(), one.authority(), one.secret());

    assertThatThrownBy(() -> joinWith(mixed)).hasMessageContaining("unknown");
  }

  @Test
  void anExpiredTokenIsRefusedAndSaysSince() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    clock.advance(EnrollingCluster.DAY);

    assertThatThrownBy(() -> joinWith(token))
        .isInstanceOf(TrustException.class)
        .hasMessage(
            "the token expired at "
                + clock.instant()
                + ": make another with \"fleetctl token create\"");
  }

  @Test
  void aTokenLastsUntilItsEnd() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    clock.advance(EnrollingCluster.DAY.minusSeconds(1));

    assertThat(joinWith(token).peer().machine()).isEqualTo(MACHINE);
  }

  @Test
  void aRevokedTokenIsRefused() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    assertThat(cluster.tokens.revoke(token.id(), CALLER)).isTrue();

    assertThat(cluster.tokens.revoke(token.id(), CALLER)).isFalse();
    assertThatThrownBy(() -> joinWith(token)).hasMessageContaining("was revoked");
  }

  @Test
  void whoMadeAndRevokedATokenIsToldToThoseWhoWatch() throws Exception {
    TokenText token =
        TokenText.parse(cluster.tokens.create(Role.AGENT, EnrollingCluster.DAY, CALLER).text());
    assertThat(command(token).command()).isEqualTo(CommandRecord.TOKEN);
    assertThat(command(token).by()).isEqualTo("user root");
    assertThat(command(token).details())
        .startsWith("for role agent, good until ")
        .doesNotContain(token.secret());

    cluster.tokens.revoke(token.id(), new Caller("user ann"));

    assertThat(command(token))
        .isEqualTo(new CommandRecord(token.id(), CommandRecord.REVOKE_TOKEN, "", "user ann"));
  }

  private CommandRecord command(TokenText token) {
    return CommandRecord.of(cluster.registry.get(Keys.command(token.id())).orElseThrow());
  }

  @Test
  void keysThatAreNoTokensCannotBeRevoked() {
    assertThat(cluster.tokens.revoke("../ca", CALLER)).isFalse();
  }

  @Test
  void aListShowsNoSecrets() {
    NewJoinToken created = cluster.tokens.create(Role.SERVER, Duration.ofHours(2), CALLER);

    List<JoinToken> list = cluster.tokens.list();

    assertThat(list).containsExactly(created.token());
    assertThat(created.token().role()).isEqualTo(Role.SERVER);
    assertThat(created.token().by()).isEqualTo("user root");
    assertThat(created.token().expires()).isEqualTo(clock.instant().plus(Duration.ofHours(2)));
    String secret = created.text().substring(created.text().lastIndexOf('-') + 1);
    assertThat(list.toString() + created).doesNotContain(secret);
    assertThat(cluster.registry.read("").entries().toString()).doesNotContain(secret);
  }

  @Test
  void tokensThatExpiredLongAgoAreForgotten() {
    NewJoinToken old = cluster.tokens.create(Role.AGENT, EnrollingCluster.DAY, CALLER);
    clock.advance(EnrollingCluster.DAY.plusHours(1));
    NewJoinToken next = cluster.tokens.create(Role.AGENT, EnrollingCluster.DAY, CALLER);
    assertThat(cluster.tokens.list()).containsExactly(old.token(), next.token());

    clock.advance(EnrollingCluster.DAY);
    NewJoinToken last = cluster.tokens.create(Role.AGENT, EnrollingCluster.DAY, CALLER);

    assertThat(cluster.tokens.list()).containsExactly(next.token(), last.token());
  }

  @Test
  void aTokenIsNotForEver() {
    assertThatThrownBy(() -> cluster.tokens.create(Role.AGENT, Duration.ZERO, CALLER))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cluster.tokens.create(Role.AGENT, Duration.ofDays(367), CALLER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 366 days");
  }

  @Test
  void theTextIsReadBack() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    assertThat(TokenText.parse(" " + token.text() + "\n")).isEqualTo(token);
    assertThatThrownBy(() -> TokenText.parse(token.text().substring(0, 100)))
        .hasMessageContaining("not whole");
    assertThatThrownBy(() -> TokenText.parse("SWMTKN-1-x")).hasMessageContaining("no token");
    assertThat(token.toString()).doesNotContain(token.secret());
  }
}

package fleet.registry.etcd;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import fleet.core.store.StoreHealth;
import fleet.core.testing.Await;
import fleet.registry.Lease;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd of three members, some of which are lost. */
class LostMemberTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration SHORT = Duration.ofMillis(500);

  /** A member that was lost refuses at once; the others may be slow. */
  private static final Duration PATIENT = Duration.ofMinutes(1);

  private List<EtcdServer> members;
  private List<URI> uris;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    members = EtcdServer.cluster(directory, 3);
    uris = members.stream().map(EtcdServer::client).toList();
  }

  @AfterEach
  void end() {
    members.forEach(EtcdServer::close);
  }

  private static long put(EtcdRegistry registry, String key, String value) {
    var outcome = registry.commit(Transaction.when().put(key, value).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  @Test
  void oneOfThreeMembersMayBeLostAndTwoMayNot() throws Exception {
    EtcdOptions options = Registries.options(uris, "two", SHORT, SHORT);
    try (EtcdRegistry registry = Registries.open(uris, "one", TIMEOUT);
        EtcdRegistry impatient = Registries.eventually(() -> EtcdRegistry.open(options))) {
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", registry.read(""), recorder)) {
        put(registry, "a", "0");
        members.get(0).kill();
        long last = 0;
        for (int i = 1; i <= 20; i++) {
          last = put(registry, "a", "" + i);
        }
        assertThat(recorder.until(last)).hasSize(21);
        members.get(1).kill();
        assertThatThrownBy(() -> impatient.get("a"))
            .isInstanceOf(RegistryException.class)
            .hasMessageContaining("etcd at");
        members.get(1).restart();
        long again = put(registry, "b", "1");
        assertThat(recorder.next().revision()).isEqualTo(again);
      }
    }
  }

  private static Map<String, Boolean> healthy(EtcdRegistry registry) {
    return registry.health().members().stream()
        .collect(toMap(StoreHealth.Member::name, member -> member.problem().isEmpty()));
  }

  /** A member that has no time for a second counts as one that does not answer. */
  private static StoreHealth awaitHealthy(EtcdRegistry registry) throws Exception {
    AtomicReference<StoreHealth> health = new AtomicReference<>(registry.health());
    Await.until(() ->
        health.updateAndGet(_ -> registry.health()).members().stream()
            .allMatch(member -> member.problem().isEmpty()));
    return Objects.requireNonNull(health.get());
  }

  @Test
  void theHealthOfEachMemberIsTold() throws Exception {
    try (EtcdRegistry registry = Registries.open(uris, "one", TIMEOUT)) {
      StoreHealth all = awaitHealthy(registry);
      assertThat(all.kind()).isEqualTo("etcd");
      assertThat(all.problem()).isEmpty();
      assertThat(all.members())
          .extracting(StoreHealth.Member::name, StoreHealth.Member::address)
          .containsExactly(
              tuple("m0", uris.get(0).toString()),
              tuple("m1", uris.get(1).toString()),
              tuple("m2", uris.get(2).toString()));
      assertThat(all.members()).allMatch(member -> member.version().matches("3\\..*"));
      members.get(0).kill();
      var lost =
          new StoreHealth.Member("m0", "" + uris.get(0), "", "does not answer at " + uris.get(0));
      Await.until(() -> registry.health().members().contains(lost));
      Await.until(() -> healthy(registry).equals(Map.of("m0", false, "m1", true, "m2", true)));
      members.get(1).kill();
      Await.until(() ->
          registry.health().members().stream()
              .anyMatch(member -> member.problem().contains("knows no leader")));
    }
  }

  /** Each writer begins with another member, and always with the same. */
  @Test
  void anyOfThreeMembersMayBeLostWhenARegistryIsOpenedAtOnce() throws Exception {
    members.get(0).kill();
    awaitLeader();
    for (String writer : List.of("one", "two", "three", "four", "five", "six", "seven", "eight")) {
      try (EtcdRegistry registry =
          EtcdRegistry.openAtOnce(Registries.options(uris, writer, PATIENT, Duration.ZERO))) {
        assertThat(registry.storeId()).isNotEmpty();
      }
    }
  }

  /** The member that was lost may have been that; who opens at once does not wait for another. */
  private void awaitLeader() {
    try (EtcdRegistry patient = Registries.open(uris, "patient", TIMEOUT)) {
      put(patient, "a", "0");
    }
  }

  @Test
  void aLeaseOutlivesTheLossOfEtcdsLeader() throws Exception {
    try (EtcdRegistry registry = Registries.open(uris, "one", TIMEOUT)) {
      Lease lease = registry.grant(Duration.ofSeconds(20));
      EtcdServer leader = EtcdServer.leader(members);
      leader.freeze();
      Await.until(() -> isRenewed(lease));
      registry.commit(Transaction.when().put("a", "x", lease).build());
      leader.thaw();
      Await.until(() -> isRenewed(lease));
      assertThat(registry.get("a")).isPresent();
    }
  }

  /** Tried again by its holder if etcd does not answer. */
  private static boolean isRenewed(Lease lease) {
    try {
      assertThat(lease.renew()).isTrue();
      return true;
    } catch (RegistryException e) {
      return false;
    }
  }
}

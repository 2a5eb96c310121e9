package fleet.registry.etcd;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.LeaseEndedException;
import fleet.registry.Outcome;
import fleet.registry.Outcome.Committed;
import fleet.registry.Outcome.Refused;
import fleet.registry.Recorder;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {

  private static final Duration TTL = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofSeconds(60);

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  private FaultProxy proxy;
  private EtcdRegistry direct;
  private EtcdRegistry registry;

  @BeforeEach
  void start() throws Exception {
    URI etcd = ETCD.server().client();
    proxy = new FaultProxy(etcd);
    direct = Registries.open(etcd, ETCD, "direct", Duration.ofSeconds(5));
    registry = Registries.open(proxy.uri(), ETCD, "proxied", Duration.ofSeconds(5));
  }

  @AfterEach
  void end() throws Exception {
    proxy.heal();
    proxy.close();
    registry.close();
    direct.close();
  }

  private static Transaction put(String key, Lease lease) {
    return Transaction.when().put(key, "x", lease).build();
  }

  @Test
  void aKeyTellsItsLeaseAndEndsWithIt() {
    Lease lease = registry.grant(TTL);
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("", registry.read(""), recorder)) {
      long written = registry.commit(put("a", lease)).revision();
      Entry entry = new Entry("a", "x", written, written, lease.id());
      assertThat(registry.get("a")).contains(entry);
      assertThat(registry.read("").entries()).containsExactly(entry);
      assertThat(recorder.next()).isEqualTo(new Delta(written, List.of(new Change.Written(entry))));
      assertThat(recorder.next().changes()).containsExactly(new Change.Deleted("a"));
    }
    assertThat(lease.renew()).as("renewed after its end").isFalse();
    lease.revoke();
  }

  @Test
  void aLeaseLastsAsLongAsItIsRenewed() throws Exception {
    Duration ttl = Duration.ofSeconds(6);
    Lease lease = registry.grant(ttl);
    registry.commit(put("a", lease));
    registry.commit(put("not renewed", direct.grant(ttl.plusSeconds(1))));
    Queue<Boolean> renewals = new ConcurrentLinkedQueue<>();
    Recorder recorder = new Recorder();
    try (ScheduledExecutorService holder = Executors.newSingleThreadScheduledExecutor();
        Watch _ = direct.watch("not renewed", direct.read("not renewed"), recorder)) {
      var _ = holder.scheduleAtFixedRate(() -> renewals.add(lease.renew()), 0, 300, MILLISECONDS);
      assertThat(recorder.next().changes()).containsExactly(new Change.Deleted("not renewed"));
    }
    assertThat(renewals).isNotEmpty().containsOnly(true);
    assertThat(direct.get("a")).isPresent();
  }

  @Test
  void eachOfManyRenewalsAtOnceIsToldOfItsOwnLease() throws Exception {
    List<Lease> alive = new ArrayList<>();
    List<Lease> ended = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      alive.add(registry.grant(LONG));
      ended.add(registry.grant(LONG));
    }
    ended.forEach(Lease::revoke);
    List<Future<Boolean>> renewed = new ArrayList<>();
    List<Future<Boolean>> refused = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        Lease one = alive.get(i % alive.size());
        Lease other = ended.get(i % ended.size());
        renewed.add(threads.submit(one::renew));
        refused.add(threads.submit(other::renew));
      }
    }
    for (int i = 0; i < renewed.size(); i++) {
      assertThat(renewed.get(i).get()).isTrue();
      assertThat(refused.get(i).get()).isFalse();
    }
  }

  @Test
  void whatIsRevokedIsGoneAtOnce() {
    Lease lease = registry.grant(LONG);
    registry.commit(put("a", lease));
    assertThat(lease.revoke()).isTrue();
    assertThat(registry.get("a")).isEmpty();
    assertThat(lease.revoke()).isFalse();
    assertThat(lease.renew()).isFalse();
  }

  @Test
  void aLeaseIsTakenOverByItsName() {
    Lease granted = registry.grant(LONG);
    registry.commit(put("a", granted));
    long id = direct.get("a").orElseThrow().lease();
    Lease taken = direct.lease(id, granted.ttl());
    assertThat(taken.renew()).isTrue();
    taken.revoke();
    assertThat(registry.get("a")).isEmpty();
    assertThat(granted.renew()).isFalse();
  }

  /** The shortest lease that etcd grants is longer than the time in which it elects a leader. */
  @Test
  void whatEtcdGrantsIsTold(@TempDir Path directory) throws Exception {
    assertThat(registry.grant(Duration.ofMillis(2_500)).ttl()).isEqualTo(Duration.ofSeconds(3));
    try (EtcdServer slow =
            EtcdServer.start(
                directory, "--heartbeat-interval", "100", "--election-timeout", "1000");
        EtcdRegistry onIt = Registries.open(slow.client())) {
      assertThat(onIt.grant(Duration.ofMillis(1)).ttl()).isGreaterThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void aPutOnALeaseThatHasEndedFailsAloneAndAtOnce() throws Exception {
    Lease ended = registry.grant(LONG);
    ended.revoke();
    Lease alive = registry.grant(LONG);
    registry.commit(Transaction.when().put("taken", "").build());
    List<Future<Outcome>> late = new ArrayList<>();
    List<Future<Outcome>> others = new ArrayList<>();
    List<Future<Outcome>> refused = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        String key = "k/" + i;
        switch (i % 10) {
          case 0 -> late.add(threads.submit(() -> registry.commit(put(key, ended))));
          case 1 -> others.add(threads.submit(() -> registry.commit(put(key, alive))));
          case 2 ->
              refused.add(
                  threads.submit(() ->
                      registry.commit(
                          Transaction.when().absent("taken").put(key, "", ended).build())));
          default ->
              others.add(
                  threads.submit(() -> registry.commit(Transaction.when().put(key, "").build())));
        }
      }
    }
    for (Future<Outcome> one : late) {
      assertThatThrownBy(one::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(LeaseEndedException.class)
          .hasMessageContaining("nothing written")
          .hasMessageContaining("lease");
    }
    for (Future<Outcome> one : others) {
      assertThat(one.get()).isInstanceOf(Committed.class);
    }
    for (Future<Outcome> one : refused) {
      assertThat(one.get()).isInstanceOf(Refused.class);
    }
    assertThat(registry.read("k/").entries()).hasSize(others.size());
  }

  @Test
  void aRenewalOnABrokenWireIsSentAgain() {
    Lease lease = registry.grant(LONG);
    for (int i = 0; i < 10; i++) {
      proxy.resetAll();
      assertThat(lease.renew()).isTrue();
    }
  }

  @Test
  void aRenewalThroughASlowWireWorks() {
    Lease lease = registry.grant(LONG);
    proxy.delay(Duration.ofMillis(200));
    for (int i = 0; i < 3; i++) {
      assertThat(lease.renew()).isTrue();
    }
  }
}

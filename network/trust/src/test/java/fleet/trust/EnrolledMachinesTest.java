package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.core.machine.Role;
import fleet.core.testing.Await;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The knowledge that a server has of machines at the moment they call. */
class EnrolledMachinesTest {

  private static final Peer PEER = new Peer("m1", Role.AGENT);
  private static final Caller ROOT = new Caller("user root");

  @TempDir Path directory;
  private EnrollingCluster cluster;
  private EnrolledMachines machines;
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, SetClock.now());
    machines =
        new EnrolledMachines(
            cluster.registry,
            cluster.bindings,
            why -> {
              throw new AssertionError(why);
            });
    machines.onEnd(ended::add);
  }

  @AfterEach
  void end() {
    machines.close();
    cluster.close();
  }

  private boolean isBound() {
    return cluster.registry.get(Keys.identity("m1")).isPresent();
  }

  private boolean isCertainlyRefused(String key) {
    return machines.objection(PEER, key).filter(EnrolledMachines.Objection::certain).isPresent();
  }

  @Test
  void aMachineThatJoinedBeforeThereWereBindingsIsServedAndBound() throws Exception {
    assertThat(machines.objection(PEER, "11")).isEmpty();

    Await.until(this::isBound);
    Await.until(() -> isCertainlyRefused("22"));
    assertThat(machines.objection(PEER, "11")).isEmpty();
  }

  @Test
  void whoIsRemovedIsToldOfAndServedNoMore() throws Exception {
    cluster.bindings.bind(PEER, "11");
    Await.until(() -> machines.objection(PEER, "22").isPresent());

    cluster.bindings.remove("m1", ROOT);

    assertThat(ended.take()).isEqualTo("m1");
    assertThat(machines.removal("m1")).isPresent();
    assertThat(machines.objection(PEER, "11")).isPresent();
    Await.until(() -> isCertainlyRefused("11"));
  }

  /** A server may hear of a renewal after the machine comes to it with the new key. */
  @Test
  void anotherKeyIsLookedUpBeforeItIsRefusedForGood() throws Exception {
    cluster.bindings.bind(PEER, "11");
    Await.until(() -> machines.objection(PEER, "22").isPresent());

    Optional<EnrolledMachines.Objection> first = machines.objection(PEER, "33");
    assertThat(first).hasValueSatisfying(it -> assertThat(it.certain()).isFalse());
    Await.until(() -> isCertainlyRefused("33"));
  }

  @Test
  void whoComesWithAnotherKeyEndsWhatTheFormerOneHad() throws Exception {
    cluster.joined("m1", Role.AGENT);
    cluster.bindings.readmit("m1", ROOT);
    cluster.joined("m1", Role.AGENT);

    assertThat(ended.take()).isEqualTo("m1");
    assertThat(machines.removal("m1")).isEmpty();
  }
}

package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.AgentCoordination;
import fleet.coordination.CoordinationContract;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import fleet.registry.Watch;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.records.Keys;
import fleet.registry.records.OfferRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCoordinationTest extends CoordinationContract {

  /** Shared by all tests, each of which has a prefix of its own. */
  private record Shared(EtcdServer etcd) {}

  @TempDir static Path directory;
  private static final List<Shared> SHARED = new ArrayList<>();

  private final List<AutoCloseable> open = new ArrayList<>();
  private final String prefix = "/" + UUID.randomUUID() + "/";
  private final EtcdRegistry machineSide = open("machine");
  private final EtcdRegistry engineSide = open("engine");
  private final PlayedEngine played = new PlayedEngine(engineSide);
  private final StoreEngineCoordination questions =
      new StoreEngineCoordination(engineSide, EventThread::new);

  @BeforeAll
  static void startEtcd() throws Exception {
    SHARED.add(new Shared(EtcdServer.start(directory)));
  }

  @AfterAll
  static void endEtcd() {
    SHARED.removeFirst().etcd().close();
  }

  private EtcdRegistry open(String writer) {
    EtcdRegistry registry =
        TestCluster.open(prefix, writer, Duration.ofMinutes(1), SHARED.getFirst().etcd().client());
    open.add(registry);
    return registry;
  }

  @AfterEach
  void close() throws Exception {
    questions.close();
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }

  @Override
  protected AgentCoordination agents() {
    return new StoreAgentCoordination(
        machineSide,
        EventThread::new,
        Node.TTL,
        why -> {
          throw new AssertionError(why);
        },
        Optional::empty);
  }

  @Override
  protected EngineCoordination questions() {
    return questions;
  }

  @Override
  protected void lead(EngineCoordination.Listener listener) {
    Watch watch = played.hear(listener);
    open.add(watch);
  }

  @Override
  protected void schedule(String machine, ScheduleEntry entry) {
    played.schedule(machine, entry);
  }

  @Override
  protected void offer(String machine, Offer offer) {
    played.put(Keys.offer(offer.unit()), new OfferRecord(offer, Set.of(machine)).json());
  }

  @Override
  protected void withdraw(String machine, UnitName unit) {
    played.delete(Keys.offer(unit));
  }

  @Test
  void whatWasBidGoesWithTheOffer() throws Exception {
    try (var _ = join()) {
      engine.awaitMachine(MACHINE);
      offerAndBid(new Bid.Made(WEB, "1", 1, "measured"));
      assertThat(engineSide.get(Keys.bid(WEB, MACHINE.id())).orElseThrow().lease()).isNotZero();
      withdraw(MACHINE.id(), WEB);
      Await.until(() -> engineSide.get(Keys.bid(WEB, MACHINE.id())).isEmpty());
    }
  }

  @Override
  protected void unschedule(String machine, UnitName unit) {
    played.unschedule(machine, unit);
  }
}

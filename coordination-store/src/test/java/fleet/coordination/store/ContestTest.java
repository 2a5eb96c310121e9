package fleet.coordination.store;

import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Engines that want to lead, on a real etcd. */
abstract class ContestTest {

  /**
   * In which a dead leader must have been replaced for it not to have been its lease that ended:
   * two thirds of that are left at least.
   */
  static final Duration BEFORE_THE_LEASE_ENDS = Duration.ofSeconds(3);

  @TempDir Path directory;
  EtcdServer etcd;
  EtcdRegistry store;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void startEtcd() throws Exception {
    etcd = opened(EtcdServer.start(directory));
    store = opened(Contestant.open("test", etcd.client()));
  }

  /** Closed after the test, the last one first. */
  <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  Contestant contestant(String id) {
    return contestant(id, etcd.client());
  }

  Contestant contestant(String id, URI... ways) {
    return opened(new Contestant(id, ways));
  }

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }
}

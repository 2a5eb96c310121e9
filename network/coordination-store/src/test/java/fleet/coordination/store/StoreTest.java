package fleet.coordination.store;

import fleet.coordination.HeardByEngine;
import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.Watch;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.etcd.SharedEtcd;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real etcd, somebody who plays the engine there, and machines. */
public abstract class StoreTest {

  public static final Machine MACHINE = Node.machine("m1", "boot-1", "10.0.0.1");

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  public final HeardByEngine heard = new HeardByEngine();
  private final List<AutoCloseable> open = new ArrayList<>();
  public EtcdServer etcd;
  public EtcdRegistry engineSide;
  public EtcdRegistry machineSide;
  public PlayedEngine engine;

  @BeforeEach
  public void startEtcd() throws Exception {
    etcd = ETCD.server();
    engineSide = openRegistry("engine");
    machineSide = openRegistry("machine");
    engine = new PlayedEngine(engineSide);
    Watch watch = engine.hear(heard);
    open.add(watch);
  }

  public EtcdRegistry openRegistry(String writer) {
    return closed(TestCluster.open(ETCD.prefix(), writer, etcd.client()));
  }

  /** Closed after the test. */
  public <T extends AutoCloseable> T closed(T part) {
    open.add(part);
    return part;
  }

  public Node join(Machine machine) {
    return closed(Node.join(machineSide, machine));
  }

  /** Ends a lease, as etcd does once its time is over. */
  public void end(long lease) {
    engineSide.lease(lease, Node.TTL).revoke();
  }

  public Entry record(Machine machine) {
    return engineSide.get(Keys.machine(machine.id())).orElseThrow();
  }

  public List<Entry> states(Machine machine) {
    return engineSide.read(Keys.states(machine.id())).entries();
  }

  @AfterEach
  public void closeAll() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }
}

package fleet.coordination.store;

import static fleet.coordination.store.Node.TTL;
import static fleet.coordination.store.Node.entry;
import static fleet.coordination.store.Node.stated;
import static fleet.coordination.store.Node.unit;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.HeardByEngine;
import fleet.core.schedule.TargetState;
import fleet.registry.Watch;
import fleet.registry.etcd.FaultProxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** etcd goes away and comes back. */
class StoreOutageTest extends StoreTest {

  @Test
  void whoJoinsWhileEtcdIsAwayIsThereOnceItIsBack() throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.LAUNCHED));
    etcd.kill();
    Node node = join(MACHINE);
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "running")));

    etcd.restart();

    heard.awaitMachine(MACHINE);
    node.follower.awaitEntry(unit(1));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "running"));
  }

  @Test
  void nothingReportedIsLostWhileEtcdIsAwayForLong() throws Exception {
    Node node = join(MACHINE);
    heard.awaitMachine(MACHINE);
    for (int i = 0; i < 200; i++) {
      engine.schedule(MACHINE.id(), entry(unit(i), TargetState.LAUNCHED));
    }
    node.follower.awaitEntry(unit(199));
    etcd.kill();
    for (int i = 0; i < 200; i++) {
      node.session.report(List.of(stated(MACHINE.id(), unit(i), "start")));
      node.session.report(List.of(stated(MACHINE.id(), unit(i), "running")));
    }
    node.skip(TTL.multipliedBy(2));
    etcd.restart();

    for (int i = 0; i < 200; i++) {
      heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(i), "running"));
    }
    node.awaitAcknowledgements(3);
    assertThat(heard.machine(MACHINE.id())).contains(MACHINE);
    assertThat(node.fatal).isNotDone();
  }

  @Test
  void anEtcdFrozenForLongEndsNothingForGood() throws Exception {
    ObservedRegistry observed = new ObservedRegistry(machineSide);
    Node node = closed(Node.join(observed, MACHINE));
    heard.awaitMachine(MACHINE);
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.LAUNCHED));
    node.follower.awaitEntry(unit(1));
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "running")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "running"));

    long lease = record(MACHINE).lease();
    etcd.freeze();
    node.skip(TTL.multipliedBy(2));
    observed.awaitFailures(1);
    etcd.thaw();
    // For etcd as well its time is over.
    end(lease);
    heard.await(() -> heard.gone().contains(MACHINE.id()));
    node.awaitAcknowledgements(2);
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "changed")));

    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "changed"));
    heard.awaitMachine(MACHINE);
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.STOPPING));
    node.follower.awaitTarget(unit(1), TargetState.STOPPING);
    assertThat(node.fatal).isNotDone();
  }

  @Test
  void aMachineThatWasCutOffComesBackWithAllItHas() throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.LAUNCHED));
    engine.schedule(MACHINE.id(), entry(unit(2), TargetState.LAUNCHED));
    FaultProxy wire = closed(new FaultProxy(etcd.client()));
    Node node =
        closed(Node.join(closed(TestCluster.open(ETCD.prefix(), "wired", wire.uri())), MACHINE));
    node.follower.awaitEntry(unit(2));
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "running")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "running"));

    long lease = record(MACHINE).lease();
    wire.cut();
    end(lease);
    heard.awaitGone(MACHINE.id());
    engine.unschedule(MACHINE.id(), unit(2));
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "changed")));
    wire.heal();

    heard.awaitMachine(MACHINE);
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "changed"));
    node.follower.awaitNothingOf(unit(2));
    assertThat(node.follower.heard()).containsOnlyOnce("snapshot");
  }

  @Test
  void aRestoredBackupEndsTheProcessAndTheNextOneGoesOn(@TempDir Path directory) throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.LAUNCHED));
    Node node = join(MACHINE);
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "start")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "start"));
    etcd.backUp(directory.resolve("backup"));
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "running")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "running"));

    etcd.restore(directory.resolve("backup"), "restored");

    assertThat(node.fatal.get()).contains("restart fleetd");
    node.close();
    Node next = closed(Node.join(openRegistry("next"), MACHINE));
    next.follower.awaitEntry(unit(1));
    next.session.report(List.of(stated(MACHINE.id(), unit(1), "running")));
    HeardByEngine afterwards = new HeardByEngine();
    Watch watch = new PlayedEngine(openRegistry("new engine")).hear(afterwards);
    closed(watch);
    afterwards.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "running"));
  }
}

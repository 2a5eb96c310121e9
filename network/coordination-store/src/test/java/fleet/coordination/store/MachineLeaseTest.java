package fleet.coordination.store;

import static fleet.coordination.store.Node.TTL;
import static fleet.coordination.store.Node.entry;
import static fleet.coordination.store.Node.stated;
import static fleet.coordination.store.Node.unit;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How machines come, stay, go, and come back. */
class MachineLeaseTest extends StoreTest {

  /** For which another machine's record is waited for beyond its time. */
  private static final Duration LENIENCE = Duration.ofSeconds(2);

  private static final Machine REBOOTED = Node.machine("m1", "boot-2", "10.0.0.2");

  private Node runningUnits(int count) throws Exception {
    return runningUnits(count, machineSide, TTL);
  }

  private Node runningUnits(int count, SharedRegistry registry, Duration ttl) throws Exception {
    for (int i = 0; i < count; i++) {
      engine.schedule(MACHINE.id(), entry(unit(i), TargetState.LAUNCHED));
    }
    Node node = closed(Node.join(registry, MACHINE, ttl));
    report(node, count);
    heard.awaitMachine(MACHINE);
    for (int i = 0; i < count; i++) {
      heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(i), "running"));
    }
    return node;
  }

  private static void report(Node node, int count) {
    for (int i = 0; i < count; i++) {
      node.session.report(List.of(stated(MACHINE.id(), unit(i), "running")));
    }
  }

  @Test
  void theNextFleetdOfABootTakesLeaseAndKeysOver() throws Exception {
    runningUnits(5).close();
    Entry record = record(MACHINE);
    List<Entry> states = states(MACHINE);

    Node next = join(MACHINE);
    next.follower.awaitEntry(unit(0));
    report(next, 5);
    next.session.report(List.of(stated(MACHINE.id(), unit(0), "changed")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(0), "changed"));
    next.awaitAcknowledgements(4);

    assertThat(record(MACHINE)).isEqualTo(record);
    assertThat(states(MACHINE)).hasSize(5).containsAll(states.subList(1, 5));
  }

  @Test
  void anotherBootWaitsUntilTheEarlierOneIsSilent() throws Exception {
    Node before = runningUnits(2);
    before.close();
    Node rebooted = join(REBOOTED);
    rebooted.settle();
    assertThat(record(MACHINE).value()).contains("boot-1");
    assertThat(rebooted.follower.heard()).isEmpty();

    end(record(MACHINE).lease());
    heard.awaitGone(MACHINE.id());
    heard.awaitMachine(REBOOTED);
    rebooted.follower.awaitEntry(unit(0));

    assertThat(states(MACHINE)).isEmpty();
    assertThat(rebooted.fatal).isNotDone();
  }

  @Test
  void theTimeOfTheEarlierBootIsWaitedForWhereItIsLonger() throws Exception {
    Duration its = TTL.multipliedBy(10);
    Node before = closed(Node.join(machineSide, MACHINE, its));
    heard.awaitMachine(MACHINE);
    before.close();
    Node rebooted = join(REBOOTED);
    rebooted.settle();
    rebooted.pass(TTL.multipliedBy(2));
    assertThat(rebooted.fatal).isNotDone();

    end(record(MACHINE).lease());
    heard.awaitMachine(REBOOTED);

    assertThat(rebooted.fatal).isNotDone();
  }

  @Test
  void aSecondMachineOfTheSameIdIsRefusedAndNamesTheFirst() throws Exception {
    Node first = runningUnits(1);
    Entry record = record(MACHINE);

    Node second = closed(Node.join(openRegistry("second"), REBOOTED));
    second.settle();
    second.skip(TTL.plus(LENIENCE));

    assertThat(second.fatal.get()).contains("m1", "10.0.0.1", "boot-1", "/etc/machine-id");
    assertThat(second.follower.heard()).isEmpty();
    assertThat(record(MACHINE)).isEqualTo(record);
    assertThat(first.fatal).isNotDone();
  }

  @Test
  void whoMayNotSpeakForItsMachineHasNoUnitsUntilItMay() throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(0), TargetState.LAUNCHED));
    var objection = new AtomicReference<>(Optional.of("this is a copy"));
    Node copy = closed(Node.join(machineSide, MACHINE, objection::get));
    copy.settle();
    copy.pass(TTL);

    assertThat(engineSide.get(Keys.machine(MACHINE.id()))).isEmpty();
    assertThat(copy.follower.heard()).isEmpty();
    assertThat(copy.fatal).isNotDone();

    objection.set(Optional.empty());
    copy.skip(TTL);
    copy.follower.awaitEntry(unit(0));
  }

  @Test
  void aLeaseThatHasEndedIsReplacedAndEverythingWrittenAgain() throws Exception {
    Node node = runningUnits(100);
    long lease = record(MACHINE).lease();
    List<String> states = states(MACHINE).stream().map(Entry::value).toList();

    end(lease);

    heard.awaitGone(MACHINE.id());
    heard.awaitMachine(MACHINE);
    for (int i = 0; i < 100; i++) {
      heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(i), "running"));
    }
    assertThat(record(MACHINE).lease()).isNotEqualTo(lease);
    assertThat(states(MACHINE)).extracting(Entry::value).isEqualTo(states);
    assertThat(states(MACHINE)).extracting(Entry::lease).containsOnly(record(MACHINE).lease());
    node.session.report(List.of(stated(MACHINE.id(), unit(7), "changed")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(7), "changed"));
    assertThat(node.follower.heard()).containsOnlyOnce("snapshot");
  }

  /** Else it might start again what runs elsewhere by now. */
  @Test
  void aMachineThatIsBackHearsWhatWasGivenAwayBeforeItIsAcknowledged() throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(0), TargetState.LAUNCHED));
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.LAUNCHED));
    LaggingRegistry lagging = new LaggingRegistry(machineSide, Keys.schedules(MACHINE.id()));
    Node node = closed(Node.join(lagging, MACHINE));
    node.follower.awaitEntry(unit(0));
    node.follower.awaitEntry(unit(1));
    heard.awaitMachine(MACHINE);

    long lease = record(MACHINE).lease();
    lagging.hold();
    engine.unschedule(MACHINE.id(), unit(0));
    end(lease);
    node.follower.await(() ->
        engineSide
            .get(Keys.machine(MACHINE.id()))
            .filter(record -> record.lease() != lease)
            .isPresent());
    node.awaitAcknowledgements(1);

    assertThat(node.follower.schedule()).containsOnlyKeys(unit(1));
    lagging.awaitHeld();
    engine.schedule(MACHINE.id(), entry(unit(2), TargetState.LAUNCHED));
    lagging.letGo();
    node.follower.awaitEntry(unit(2));
    assertThat(node.follower.schedule()).containsOnlyKeys(unit(1), unit(2));
  }

  @Test
  void aRecordThatSomebodyDeletedIsWrittenAgain() throws Exception {
    runningUnits(3);
    long lease = record(MACHINE).lease();

    engine.delete(Keys.machine(MACHINE.id()));

    heard.awaitGone(MACHINE.id());
    heard.awaitMachine(MACHINE);
    for (int i = 0; i < 3; i++) {
      heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(i), "running"));
    }
    assertThat(record(MACHINE).lease()).isNotEqualTo(lease);
  }

  @Test
  void aSilentMachineIsGoneAfterItsTime() throws Exception {
    Duration ttl = Duration.ofSeconds(2);
    ObservedRegistry observed = new ObservedRegistry(machineSide);
    Node node = runningUnits(2, observed, ttl);
    node.close();
    assertThat(observed.granted()).extracting(Lease::ttl).containsOnly(ttl);

    heard.awaitGone(MACHINE.id());

    assertThat(states(MACHINE)).isEmpty();
  }

  @Test
  void anotherTimeToLiveTakesEffectWithoutAnAbsence() throws Exception {
    runningUnits(3).close();
    Entry record = record(MACHINE);

    Node next = closed(Node.join(machineSide, MACHINE, TTL.multipliedBy(2)));
    report(next, 3);
    next.awaitAcknowledgements(2);
    // The lease may be acknowledged before all that was on the former one is on it.
    next.settle();
    end(record.lease());

    assertThat(record(MACHINE).created()).isEqualTo(record.created());
    assertThat(record(MACHINE).lease()).isNotEqualTo(record.lease());
    assertThat(states(MACHINE)).hasSize(3);
  }

  @Test
  void aRecordOnNoLeaseIsTakenOver() throws Exception {
    engine.put(Keys.machine(MACHINE.id()), "garbage");

    join(MACHINE).follower.await(() -> record(MACHINE).lease() != 0);

    assertThat(record(MACHINE).value()).contains("boot-1");
  }

  @Test
  void leavingTakesAllOfItsKeysAway() throws Exception {
    Node node = runningUnits(2);
    node.session.report(
        List.of(
            new AgentReport.Refused(
                unit(9), entry(unit(9), TargetState.LOADED).incarnation(), 1, "x")));

    node.session.leave(true);

    assertThat(engineSide.get(Keys.machine(MACHINE.id()))).isEmpty();
    assertThat(states(MACHINE)).isEmpty();
  }

  @Test
  void whoLeavesWithNothingRunningIsNotWaitedFor() throws Exception {
    assertThat(lastIsolation(true)).isEqualTo(Isolation.KEEP);
  }

  @Test
  void whoLeavesWithUnitsStillRunningIsWaitedForAsEver() throws Exception {
    assertThat(lastIsolation(false)).isEqualTo(Isolation.STOP);
  }

  /** A leader that has just begun does not see it in the other way yet, and is to wait for it. */
  @Test
  void whoMovesOnToAnotherWayIsNotTakenForOneThatLeaves() throws Exception {
    Node node = runningUnits(1);
    LastWord last = new LastWord();
    Watch watch = engineSide.watch(Keys.MACHINES, engineSide.read(Keys.MACHINES), last);
    try (watch) {
      node.session.moveOn();
      assertThat(last.said.get()).isNotNull();
    }
    assertThat(last.leaving).isFalse();
    assertThat(states(MACHINE)).isEmpty();
  }

  /** The last isolation in the record of a machine that stops its units. */
  private Isolation lastIsolation(boolean emptied) throws Exception {
    Machine stops =
        new Machine(MACHINE.id(), "boot-1", "10.0.0.1", Map.of(), "test", Isolation.STOP);
    LastWord last = new LastWord();
    Watch watch = engineSide.watch(Keys.MACHINES, engineSide.read(Keys.MACHINES), last);
    try (watch) {
      Node node = join(stops);
      node.follower.await(() -> node.follower.acknowledgements() > 0);
      node.session.leave(emptied);
      return last.said.get();
    }
  }

  /** Waits until the machine goes. */
  private static final class LastWord implements Watcher {
    private final CompletableFuture<Isolation> said = new CompletableFuture<>();
    private Isolation isolation = Isolation.KEEP;
    private volatile boolean leaving;

    @Override
    public void changed(Delta delta) {
      for (Delta.Change change : delta.changes()) {
        switch (change) {
          case Delta.Change.Written written -> {
            MachineRecord record = MachineRecord.of(written.entry());
            isolation = record.machine().isolation();
            leaving = record.leaving();
          }
          case Delta.Change.Deleted _ -> said.complete(isolation);
        }
      }
    }

    @Override
    public void failed(RegistryException why) {
      said.completeExceptionally(why);
    }
  }

  @Test
  void aFleetdThatEndsLeavesTheNextOneTheWholeTimeOfItsLease() throws Exception {
    ObservedRegistry counted = new ObservedRegistry(machineSide);
    Node node = closed(Node.join(counted, MACHINE, Duration.ofMinutes(10)));
    heard.awaitMachine(MACHINE);
    node.follower.await(() -> node.follower.acknowledgements() > 0);
    assertThat(counted.renewals()).isZero();

    node.close();

    assertThat(counted.renewals()).isEqualTo(1);
    assertThat(engineSide.get(Keys.machine(MACHINE.id()))).isPresent();
  }
}

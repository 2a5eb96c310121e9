package fleet.coordination.store;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventThread;
import fleet.coordination.RecordingFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One machine's end of the coordination. */
final class Node implements AutoCloseable {

  static final Duration TTL = Duration.ofSeconds(3);

  final RecordingFollower follower = new RecordingFollower();
  final CompletableFuture<String> fatal = new CompletableFuture<>();
  final AgentCoordination.Session session;

  Node(SharedRegistry registry, Machine machine, Duration ttl, Answerer answerer) {
    session =
        new StoreAgentCoordination(registry, EventThread::new, ttl, fatal::complete)
            .join(machine, follower, answerer);
  }

  static Node join(SharedRegistry registry, Machine machine) {
    return join(registry, machine, TTL);
  }

  static Node join(SharedRegistry registry, Machine machine, Duration ttl) {
    return new Node(
        registry,
        machine,
        ttl,
        _ -> {
          throw new IllegalStateException("nobody asked");
        });
  }

  static Machine machine(String id, String boot, String ip) {
    return new Machine(id, boot, ip, Map.of(), "test");
  }

  static UnitName unit(int number) {
    return UnitName.of("unit-" + number + ".service");
  }

  static ScheduleEntry entry(UnitName unit, Target target) {
    return new ScheduleEntry(
        unit,
        new Incarnation("i-" + unit.value()),
        new UnitFile(List.of(new UnitOption("Service", "ExecStart", "/bin/" + unit.value()))),
        target,
        1,
        false,
        0);
  }

  static AgentReport stated(String machine, UnitName unit, String sub) {
    return new AgentReport.Stated(
        new UnitState(
            unit,
            machine,
            new Incarnation("i-" + unit.value()),
            "hash",
            DesiredState.LAUNCHED,
            1,
            new SystemdState("loaded", "active", sub, "success", "abc", 0, Instant.EPOCH),
            ""));
  }

  void awaitAcknowledgements(int more) throws InterruptedException {
    int before = follower.acknowledgements();
    follower.await(() -> follower.acknowledgements() >= before + more);
  }

  /** As a fleetd that ends and is to go on. */
  @Override
  public void close() {
    session.close();
  }
}

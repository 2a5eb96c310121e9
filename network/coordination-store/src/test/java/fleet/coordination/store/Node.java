package fleet.coordination.store;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.HeartbeatInterval;
import fleet.coordination.RecordingFollower;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One machine's end of the coordination. */
final class Node implements AutoCloseable {

  /** Long enough to outlast a pause of the machine that runs the tests. */
  static final Duration TTL = Duration.ofSeconds(15);

  final RecordingFollower follower = new RecordingFollower();
  final CompletableFuture<String> fatal = new CompletableFuture<>();
  final AgentCoordination.Session session;
  private final SteeredLoops loops = SteeredLoops.running();

  Node(SharedRegistry registry, Machine machine, Duration ttl, Answerer answerer) {
    this(registry, machine, ttl, answerer, Optional::empty);
  }

  private Node(
      SharedRegistry registry,
      Machine machine,
      Duration ttl,
      Answerer answerer,
      Supplier<Optional<String>> objection) {
    session =
        new StoreAgentCoordination(registry, loops::start, ttl, fatal::complete, objection)
            .join(machine, follower, answerer);
  }

  static Node join(SharedRegistry registry, Machine machine) {
    return join(registry, machine, TTL);
  }

  static Node join(SharedRegistry registry, Machine machine, Duration ttl) {
    return new Node(registry, machine, ttl, Node::unasked);
  }

  /** One that may not speak for its machine while there is an objection. */
  static Node join(SharedRegistry registry, Machine machine, Supplier<Optional<String>> objection) {
    return new Node(registry, machine, TTL, Node::unasked, objection);
  }

  private static Answer unasked(Question question) {
    throw new IllegalStateException("nobody asked");
  }

  static Machine machine(String id, String boot, String ip) {
    return new Machine(id, boot, ip, Map.of(), "test");
  }

  static UnitName unit(int number) {
    return UnitName.of("unit-" + number + ".service");
  }

  static ScheduleEntry entry(UnitName unit, TargetState target) {
    return new ScheduleEntry(
        unit,
        new Incarnation("i-" + unit.value()),
        new UnitFile(List.of(new UnitOption("Service", "ExecStart", "/bin/" + unit.value()))),
        target,
        1,
        false,
        0,
        Overcommit.NONE,
        List.of());
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

  /** Has so many renewals due, one after the other, and waits until each is acknowledged. */
  void awaitAcknowledgements(int more) throws InterruptedException {
    for (int i = 0; i < more; i++) {
      int before = follower.acknowledgements();
      skip(HeartbeatInterval.of(TTL));
      follower.await(() -> follower.acknowledgements() > before);
    }
  }

  /** So much time passes for the machine; what becomes due has begun. */
  void skip(Duration time) {
    loops.skip(time);
  }

  /** So much time passes for the machine, and what becomes due is done. */
  void pass(Duration time) throws InterruptedException {
    loops.skip(time);
    loops.settle();
  }

  /** Waits until the machine has nothing left to do. */
  void settle() throws InterruptedException {
    loops.settle();
  }

  /** As a fleetd that ends and is to go on. */
  @Override
  public void close() {
    session.close();
  }
}

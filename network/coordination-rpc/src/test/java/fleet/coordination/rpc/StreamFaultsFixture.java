package fleet.coordination.rpc;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.HeardByEngine;
import fleet.coordination.HeartbeatInterval;
import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import fleet.coordination.SkippedTime;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The parts that {@link StreamFaultsTest} and {@link StreamLoadTest} share. */
abstract class StreamFaultsFixture extends StreamTest {
  /** So long that a loaded machine says and answers each heartbeat in time. */
  static final Duration TTL = Duration.ofMinutes(10);

  /** In it an agent says once that it is there. */
  static final Duration BEAT = HeartbeatInterval.of(TTL).multipliedBy(17).dividedBy(16);

  final List<HostPort> candidates = new CopyOnWriteArrayList<>();

  final HeardByEngine engine = new HeardByEngine();

  final RecordingFollower follower = new RecordingFollower();

  final SkippedTime agentTime = new SkippedTime();

  final SkippedTime leaderTime = new SkippedTime();

  final RpcAgentCoordination agents = agents(agentTime);

  RpcAgentCoordination agents(SkippedTime time) {
    return new RpcAgentCoordination(
        () -> List.copyOf(candidates),
        StreamConnector.over(channels),
        time::start,
        TTL,
        fatal::add);
  }

  /** The machine says that it is there so many times, and is answered. */
  void beat(int times) throws InterruptedException {
    beat(follower, agentTime, times);
  }

  static void beat(RecordingFollower follower, SkippedTime time, int times)
      throws InterruptedException {
    follower.await(() -> follower.acknowledgements() > 0);
    for (int i = 0; i < times; i++) {
      int before = follower.acknowledgements();
      time.skip(BEAT);
      follower.await(() -> follower.acknowledgements() > before);
    }
  }

  /** Agents ask these addresses from now on. */
  void ask(List<HostPort> addresses) {
    candidates.clear();
    candidates.addAll(addresses);
  }

  PlayedLeader leader(String store) throws IOException {
    PlayedLeader leader = another(store);
    ask(List.of(leader.address()));
    return leader;
  }

  /** One that agents do not ask yet. */
  PlayedLeader another(String store) throws IOException {
    return opened(new PlayedLeader(store, leaderTime::start));
  }

  TcpProxy wire(PlayedLeader to) throws IOException {
    TcpProxy wire = opened(new TcpProxy(to.address().port()));
    ask(List.of(new HostPort("127.0.0.1", wire.port())));
    return wire;
  }

  AgentCoordination.Session join() {
    return opened(agents.join(MACHINE, follower, _ -> new PreparedAnswer()));
  }

  TcpProxy joinedOverAWire(PlayedLeader leader) throws Exception {
    TcpProxy wire = wire(leader);
    leader.lead(7, engine);
    join();
    engine.awaitMachine(MACHINE);
    return wire;
  }

  static AgentReport stated(UnitName unit, String sub) {
    return new AgentReport.Stated(
        new UnitState(
            unit,
            MACHINE.id(),
            new Incarnation("i-" + unit.value()),
            "hash",
            DesiredState.LAUNCHED,
            1,
            new SystemdState("loaded", "active", sub, "success", "abc", 0, Instant.EPOCH),
            ""));
  }

  /** Passes everything on. */
  static class Forwarding implements EngineCoordination.Listener {
    private final EngineCoordination.Listener to;

    Forwarding(EngineCoordination.Listener to) {
      this.to = to;
    }

    @Override
    public void present(Machine machine) {
      to.present(machine);
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      to.reported(machine, reports);
    }

    @Override
    public void absent(String machine, String why) {
      to.absent(machine, why);
    }
  }
}

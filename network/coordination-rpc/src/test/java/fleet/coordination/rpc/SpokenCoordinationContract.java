package fleet.coordination.rpc;

import fleet.coordination.AgentCoordination;
import fleet.coordination.CoordinationContract;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** The contract between an agent and a leader that it speaks to. */
abstract class SpokenCoordinationContract extends CoordinationContract {

  private final AtomicLong revision = new AtomicLong(10);
  private final PlayedLeader leader;
  private final RpcAgentCoordination agents;

  /**
   * @param dialing how the agent reaches the leader
   */
  SpokenCoordinationContract(Function<PlayedLeader, StreamConnector> dialing) throws Exception {
    leader = new PlayedLeader("store-1");
    agents =
        new RpcAgentCoordination(
            () -> List.of(leader.address()),
            dialing.apply(leader),
            EventThread::new,
            Duration.ofSeconds(5),
            why -> {
              throw new AssertionError(why);
            });
  }

  @AfterEach
  void close() {
    leader.close();
  }

  @Override
  protected AgentCoordination agents() {
    return agents;
  }

  @Override
  protected EngineCoordination questions() {
    return leader.coordination;
  }

  @Override
  protected void lead(EngineCoordination.Listener listener) {
    leader.lead(7, listener);
  }

  @Override
  protected void schedule(String machine, ScheduleEntry entry) {
    leader.schedule(
        machine,
        new ScheduleEntry(
            entry.unit(),
            entry.incarnation(),
            entry.file(),
            entry.target(),
            entry.restartCounter(),
            entry.global(),
            revision.incrementAndGet(),
            entry.overcommit(),
            entry.require()));
  }

  @Override
  protected void unschedule(String machine, UnitName unit) {
    leader.unschedule(machine, unit);
  }
}

package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventThread;
import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import fleet.core.machine.HostPort;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.ScheduleMessages;
import fleet.rpc.v1.Acknowledged;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Welcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The agent itself judges whom it obeys, whatever the speakers say. */
class ObedienceTest extends StreamTest {

  private final RecordingFollower follower = new RecordingFollower();

  @Test
  void whoSpeaksWithALowerTokenThanHasBeenHeardIsNotObeyed() throws Exception {
    SpokenLeader leader = leader("s", 9, WEB);
    var asked = new AtomicReference<>(leader.address());
    join(asked);
    follower.awaitEntry(WEB);

    SpokenLeader deposed = leader("s", 7, DB);
    asked.set(deposed.address());
    leader.close();

    // It is given up at its first word, and asked again.
    deposed.await(FromAgent.SaidCase.HELLO);
    deposed.await(FromAgent.SaidCase.HELLO);
    assertThat(follower.heard()).containsExactly("snapshot");
    assertThat(follower.schedule()).containsOnlyKeys(WEB);

    SpokenLeader next = leader("s", 10, DB);
    asked.set(next.address());
    follower.awaitEntry(DB);
  }

  @Test
  void tokensOfAnotherStoreAreNotCompared() throws Exception {
    SpokenLeader leader = leader("s", 9, WEB);
    var asked = new AtomicReference<>(leader.address());
    join(asked);
    follower.awaitEntry(WEB);

    SpokenLeader moved = leader("another", 1, DB);
    asked.set(moved.address());
    leader.close();

    follower.awaitEntry(DB);
  }

  private void join(AtomicReference<HostPort> asked) {
    var agents =
        new RpcAgentCoordination(
            () -> List.of(asked.get()),
            StreamConnector.over(channels),
            EventThread::new,
            StreamFaultsFixture.TTL,
            fatal::add);
    opened(agents.join(MACHINE, follower, _ -> new PreparedAnswer()));
  }

  /** One that takes in whoever comes, also those who have heard of a higher token. */
  private SpokenLeader leader(String store, long token, UnitName unit) throws Exception {
    return opened(
        new SpokenLeader((message, line) -> {
          switch (message.getSaidCase()) {
            case HELLO -> {
              line.send(
                  signed(store, token).setWelcome(Welcome.newBuilder().setVersion(1)).build());
              line.send(schedule(signed(store, token), entry(unit, token)));
            }
            case HEARTBEAT ->
                line.send(
                    signed(store, token)
                        .setAcknowledged(
                            Acknowledged.newBuilder().setNumber(message.getHeartbeat().getNumber()))
                        .build());
            default -> {}
          }
        }));
  }

  private static FromLeader.Builder signed(String store, long token) {
    return FromLeader.newBuilder().setStore(store).setToken(token);
  }

  private static FromLeader schedule(FromLeader.Builder signed, ScheduleEntry entry) {
    var part = new ScheduleMessages.Writer();
    part.put(entry);
    return signed
        .setSchedule(
            part.message().setReplacesAll(true).setMachine(MachineMessages.message(MACHINE)))
        .build();
  }
}

package fleet.cluster.rpc;

import static fleet.cluster.rpc.PlayedCluster.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import fleet.cluster.Cluster;
import fleet.cluster.Event;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.rpc.v1.AskMachine;
import fleet.rpc.v1.ClusterEvent;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.EventBatch;
import fleet.rpc.v1.Query;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The fleetd at the other end is of the next version: all of the contract with fields that this one
 * does not know, and what this one does not know at all.
 */
class NextVersionTest extends ClusterContract {

  private static final RpcSecurity PLAIN = new RpcSecurity.PlainText(false);

  private final KnownLeaders leaders = new KnownLeaders();
  private final RpcChannels channels = new RpcChannels(PLAIN);
  private RpcServer server;
  private RemoteCluster remote;
  private ManagedChannel channel;

  @BeforeEach
  void serve() throws IOException {
    server = serve(0);
    leaders.leads(server.address(), 1);
    remote = new RemoteCluster(leaders, channels, () -> 0, LONG);
    channel = channels.open(server.address());
  }

  private RpcServer serve(int port) {
    try {
      return RpcServer.open(
          "127.0.0.1",
          port,
          PLAIN,
          List.of(
              ServerInterceptors.intercept(
                  new ClusterService(played, _ -> {}), new NextVersion(NextVersionTest::answer))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    channel.shutdownNow();
    remote.close();
    server.close();
  }

  @Override
  Cluster cluster() {
    return remote;
  }

  /** Of a kind that this version does not know: here, those that say that it is odd. */
  private static Message answer(Message answer) {
    if (!(answer instanceof EventBatch batch)) {
      return answer;
    }
    EventBatch.Builder odd = batch.toBuilder();
    for (ClusterEvent.Builder event : odd.getEventsBuilderList()) {
      if (event.getMachineGone().getWhy().equals("odd")) {
        event.clearBody();
      }
    }
    return odd.build();
  }

  // ---- a leader of the next version

  @Test
  void anEventOfAnUnknownKindIsPassedOver() throws Exception {
    try (EventStream stream = remote.follow(EventsFrom.NOW)) {
      played.happen(new Event.UnitDestroyed(WEB));
      played.happen(new Event.MachineGone("m1", "odd"));
      played.happen(new Event.MachineGone("m2", "silent"));
      assertThat(next(stream, 2))
          .extracting(Event::body)
          .containsExactly(new Event.UnitDestroyed(WEB), new Event.MachineGone("m2", "silent"));
    }
  }

  @Test
  void aStreamGoesOnBehindAnEventOfAnUnknownKind() throws Exception {
    try (EventStream stream = remote.follow(EventsFrom.NOW)) {
      played.happen(new Event.UnitDestroyed(WEB));
      assertThat(next(stream, 1)).hasSize(1);
      int port = server.address().port();
      server.close();
      played.happen(new Event.MachineGone("m1", "odd"));
      played.happen(new Event.MachineGone("m2", "silent"));
      server = serve(port);
      assertThat(next(stream, 1))
          .extracting(Event::body)
          .containsExactly(new Event.MachineGone("m2", "silent"));
    }
  }

  // ---- a server of the next version that asks this one

  @Test
  void anUnknownCommandIsRefusedAndNothingIsDone() {
    played.units.put(WEB, view("web.service", SLEEP));
    Command unknown = NextVersion.withNews(Command.newBuilder().setCaller("user root").build());
    assertRefused(() ->
        ClientCalls.blockingUnaryCall(channel, ClusterMethods.TELL, CallOptions.DEFAULT, unknown));
    assertThat(played.commands).isEmpty();

    var _ =
        ClientCalls.blockingUnaryCall(
            channel,
            ClusterMethods.TELL,
            CallOptions.DEFAULT,
            unknown.toBuilder().setRestart(WEB.value()).build());
    assertThat(played.commands).containsExactly("restart web.service by user root");
  }

  @Test
  void anUnknownQueryIsRefused() {
    assertRefused(() ->
        ClientCalls.blockingServerStreamingCall(
                channel,
                ClusterMethods.LOOK,
                CallOptions.DEFAULT,
                NextVersion.withNews(Query.getDefaultInstance()))
            .hasNext());
    assertThat(remote.units()).isEmpty();
  }

  @Test
  void aQuestionOfAnUnknownKindIsRefused() {
    assertRefused(() ->
        ClientCalls.blockingServerStreamingCall(
                channel,
                ClusterMethods.ASK,
                CallOptions.DEFAULT,
                NextVersion.withNews(AskMachine.newBuilder().setMachine("m1").build()))
            .hasNext());
    assertThat(remote.units()).isEmpty();
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refused ->
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
        .hasMessageContaining("upgrade it");
  }
}

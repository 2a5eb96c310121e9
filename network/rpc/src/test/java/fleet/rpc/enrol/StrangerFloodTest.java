package fleet.rpc.enrol;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.HostPort;
import fleet.core.machine.Role;
import fleet.core.testing.RawHttp2;
import fleet.core.testing.SilentFlood;
import fleet.rpc.Methods;
import fleet.rpc.RpcPeer;
import fleet.rpc.RpcServer;
import fleet.rpc.secure.RpcTls;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.EnrolRequest;
import fleet.trust.OwnIdentity;
import fleet.trust.TokenText;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Those who reach the port and want to wear it out. */
class StrangerFloodTest extends EnrolmentOverRpcTest {

  private static final String ASK = "/" + Methods.directoryAsk().getFullMethodName();
  private static final String ENROL = "/" + EnrolmentMethods.ENROL.getFullMethodName();

  /** Far more than anybody may make. */
  private static final int MANY = 1_000;

  /** Sent over and over; what is refused ends the test long before all of it has gone. */
  private static final int WAVES = 500;

  private static final int MOST_FRAMES = 48;
  private static final int MOST_OF_ADDRESS = 128;
  private static final int PLACES_OF_ADDRESS = 16;

  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private OwnIdentity machine;

  /** As in fleetd. */
  @BeforeAll
  static void quiet() {
    GRPC.setLevel(Level.SEVERE);
  }

  @BeforeEach
  void joined() throws Exception {
    machine = new OwnIdentity(join(cluster.token(Role.AGENT), cluster.address), CLOCK);
  }

  private void machinesAreServed() throws InterruptedException {
    assertThat(whoAmI(RpcTls.mutual(machine).client(), cluster.address))
        .isEqualTo(new RpcPeer(MACHINE, false).toString());
  }

  private interface Frames {
    byte[] next() throws IOException;
  }

  private static byte[] many(Frames frames) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (int i = 0; i < MANY; i++) {
      bytes.write(frames.next());
    }
    return bytes.toByteArray();
  }

  /** Whether the connection was cut before all had gone. */
  private static boolean isCutWhileItSends(RawHttp2 stranger, Frames frames) {
    try {
      for (int i = 0; i < WAVES; i++) {
        stranger.write(many(frames));
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aFloodOfResetsCutsItsConnectionOffWhileMachinesAreServed() throws Exception {
    for (String path : List.of(ASK, ENROL, "/no/such")) {
      try (RawHttp2 stranger = new RawHttp2(cluster.address)) {
        assertThat(isCutWhileItSends(stranger, () -> stranger.reset(path))).as(path).isTrue();
      }
      machinesAreServed();
    }
  }

  @Test
  void aMachineThatFloodsWithResetsIsCutOffAsWell() throws Exception {
    try (RawHttp2 member = new RawHttp2(cluster.address, machine.keys())) {
      assertThat(isCutWhileItSends(member, () -> member.reset(ASK))).isTrue();
    }
    machinesAreServed();
  }

  @Test
  void aStrangerMakesFewCallsOnAConnection() throws Exception {
    for (String path : List.of(ASK, ENROL, "/no/such")) {
      try (RawHttp2 stranger = new RawHttp2(cluster.address)) {
        sendOnce(stranger, many(() -> stranger.call(path)));

        assertThat(answers(stranger)).as(path).isLessThanOrEqualTo(MOST_FRAMES);
      }
    }
  }

  private static void sendOnce(RawHttp2 stranger, byte[] frames) {
    try {
      stranger.write(frames);
    } catch (IOException e) {
      assertThat(e.getMessage()).as("cut before all had gone").containsAnyOf("reset", "Broken");
    }
  }

  private static int answers(RawHttp2 stranger) throws IOException {
    int answers = 0;
    for (int type = stranger.read(); type >= 0; type = stranger.read()) {
      answers += type == RawHttp2.HEADERS ? 1 : 0;
    }
    return answers;
  }

  /** Each costs more than a call that is well formed. */
  @Test
  void aFloodOfMalformedCallsCutsItsConnectionOff() throws Exception {
    try (RawHttp2 stranger = new RawHttp2(cluster.address)) {
      sendOnce(stranger, many(() -> stranger.call("")));

      assertThat(answers(stranger)).isLessThanOrEqualTo(MOST_FRAMES);
    }
    machinesAreServed();
  }

  @Test
  void aMachineMakesAsManyCallsAsItLikes() throws Exception {
    try (RawHttp2 member = new RawHttp2(cluster.address, machine.keys())) {
      for (int i = 0; i < 2 * MOST_FRAMES; i++) {
        member.write(member.call(ASK));
        int type = member.read();
        while (type != RawHttp2.HEADERS) {
          assertThat(type).isNotNegative();
          type = member.read();
        }
      }
    }
  }

  /** One call after the other, each of which is ended when it takes too long. */
  @Test
  void aStrangerIsLetGoHoweverBusy() throws Exception {
    int answers = 0;
    try (RawHttp2 stranger = new RawHttp2(cluster.address)) {
      stranger.write(stranger.begin(ENROL));
      for (int type = stranger.read(); type >= 0; type = stranger.read()) {
        if (type == RawHttp2.HEADERS && answers < MOST_FRAMES) {
          answers++;
          beginIfItMay(stranger);
        }
      }
    }
    assertThat(answers).isPositive().isLessThan(MOST_FRAMES);
  }

  private static void beginIfItMay(RawHttp2 stranger) {
    try {
      stranger.write(stranger.begin(ENROL));
    } catch (IOException cut) {
      // The last answer came together with the end of the connection, which the next read tells.
    }
  }

  @Test
  void theOldestSilentConnectionsOfAnAddressMakeRoomForTheNext() throws Exception {
    int port = cluster.address.port();
    SilentFlood.awaitCut(port, 2 * MOST_OF_ADDRESS, MOST_OF_ADDRESS / 2, this::machinesAreServed);
  }

  @Test
  void enrolmentsOfOneAddressLeavePlacesToOthers() throws Exception {
    TokenText token = cluster.token(Role.AGENT);
    var begun = new Semaphore(0);
    var end = new CountDownLatch(1);
    HostPort slow =
        serving((request, answer) -> {
          begun.release();
          awaited(end);
          answer.onNext(Certificates.getDefaultInstance());
          answer.onCompleted();
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Status.Code>> flood =
          IntStream.range(0, 2 * PLACES_OF_ADDRESS)
              .mapToObj(_ ->
                  CompletableFuture.supplyAsync(() -> enrol(slow, token, "127.0.0.2"), threads))
              .toList();
      begun.acquire(PLACES_OF_ADDRESS);

      CompletableFuture<Status.Code> other =
          CompletableFuture.supplyAsync(() -> enrol(slow, token, "127.0.0.3"), threads);
      begun.acquire();

      end.countDown();
      assertThat(other.get()).isEqualTo(Status.Code.OK);
      assertThat(flood.stream().map(CompletableFuture::join)).contains(Status.Code.UNAVAILABLE);
    }
  }

  private static void awaited(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Service {
    void enrol(EnrolRequest request, StreamObserver<Certificates> answer);
  }

  private HostPort serving(Service service) throws IOException {
    RpcServer server =
        RpcServer.open(
            "127.0.0.1",
            0,
            RpcTls.mutual(cluster.own),
            List.of(
                ServerServiceDefinition.builder("fleet.rpc.v1.Enrolment")
                    .addMethod(EnrolmentMethods.ENROL, ServerCalls.asyncUnaryCall(service::enrol))
                    .build()));
    open.add(server);
    return server.address();
  }

  private static Status.Code enrol(HostPort to, TokenText token, String from) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(to.host(), to.port(), RpcTls.joining(token, CLOCK))
            .localSocketPicker(
                new NettyChannelBuilder.LocalSocketPicker() {
                  @Override
                  public InetSocketAddress createSocketAddress(
                      java.net.SocketAddress remote, Attributes attributes) {
                    return new InetSocketAddress(from, 0);
                  }
                })
            .build();
    try {
      ClientCalls.blockingUnaryCall(
          channel, EnrolmentMethods.ENROL, CallOptions.DEFAULT, EnrolRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }
}

package fleet.rpc.enrol;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.HostPort;
import fleet.core.machine.Role;
import fleet.rpc.RpcPeer;
import fleet.rpc.secure.RpcTls;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.EnrolRequest;
import fleet.trust.CertificateRequest;
import fleet.trust.Identity;
import fleet.trust.OwnIdentity;
import fleet.trust.Peer;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.KnownLength;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Those who reach the port and are not of the cluster. */
class StrangersTest extends EnrolmentOverRpcTest {

  /** Less than what machines of the cluster may say at once. */
  private static final int LARGE = (8 << 20) - 1;

  private static final int LARGE_ONES = 12;

  private static final int SOON_SECONDS = 60;

  /** More than are heard at once. */
  private static final int MANY = 100;

  private final CountDownLatch held = new CountDownLatch(1);

  /** A method whose requests go out when they are made, and not only when they are complete. */
  private static final MethodDescriptor<EnrolRequest, Certificates> ENROL =
      EnrolmentMethods.ENROL.toBuilder().setType(MethodType.BIDI_STREAMING).build();

  /** A message of which the last byte does not come before the end of the test. */
  private final class Unfinished extends InputStream implements KnownLength {
    private final ManagedChannel channel;
    private int left = LARGE;

    Unfinished(ManagedChannel channel) {
      this.channel = channel;
    }

    @Override
    public int available() {
      return left;
    }

    @Override
    public int read() {
      return read(new byte[1], 0, 1) < 0 ? -1 : 0;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left == 1) {
        // The bytes before this one go out with another call.
        Visit _ = visit(channel, ENROL);
        try {
          held.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      int count = left > 1 ? Math.min(length, left - 1) : left;
      left -= count;
      return count == 0 ? -1 : count;
    }
  }

  private final class UnfinishedMarshaller implements MethodDescriptor.Marshaller<EnrolRequest> {
    private final ManagedChannel channel;

    UnfinishedMarshaller(ManagedChannel channel) {
      this.channel = channel;
    }

    @Override
    public InputStream stream(EnrolRequest ignored) {
      return new Unfinished(channel);
    }

    @Override
    public EnrolRequest parse(InputStream none) {
      throw new UnsupportedOperationException();
    }
  }

  /** A call, and what became of it. */
  private record Visit(
      ClientCall<EnrolRequest, Certificates> call, CompletableFuture<Status> end) {}

  private ManagedChannel stranger() throws Exception {
    HostPort to = cluster.address;
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                to.host(), to.port(), RpcTls.joining(cluster.token(Role.AGENT), CLOCK))
            .build();
    open.add(() -> channel.shutdownNow().awaitTermination(SOON_SECONDS, TimeUnit.SECONDS));
    Visit first = visit(channel, ENROL);
    first.call().sendMessage(EnrolRequest.getDefaultInstance());
    first.call().halfClose();
    assertThat(end(first)).isEqualTo(Status.Code.PERMISSION_DENIED);
    return channel;
  }

  private static Visit visit(
      ManagedChannel channel, MethodDescriptor<EnrolRequest, Certificates> method) {
    var end = new CompletableFuture<Status>();
    ClientCall<EnrolRequest, Certificates> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    return new Visit(call, end);
  }

  /** Nothing but that there is a call. */
  private static List<Visit> halfSent(ManagedChannel channel, int count) {
    return IntStream.range(0, count).mapToObj(_ -> visit(channel, ENROL)).toList();
  }

  private static Status.Code end(Visit visit) throws Exception {
    return visit.end().get().getCode();
  }

  @Test
  void whoAnnouncesMuchIsCutOffBeforeItHasComeWhileMachinesAreServed() throws Exception {
    Identity machine = join(cluster.token(Role.AGENT), cluster.address);
    List<Visit> visits = new ArrayList<>();
    for (int i = 0; i < LARGE_ONES; i++) {
      ManagedChannel channel = stranger();
      MethodDescriptor<EnrolRequest, Certificates> method =
          ENROL.toBuilder(new UnfinishedMarshaller(channel), ENROL.getResponseMarshaller()).build();
      Visit visit = visit(channel, method);
      visits.add(visit);
      Thread.ofVirtual().start(() -> visit.call().sendMessage(EnrolRequest.getDefaultInstance()));
    }

    assertThat(whoAmI(RpcTls.mutual(new OwnIdentity(machine, CLOCK)).client(), cluster.address))
        .isEqualTo(new RpcPeer(MACHINE, false).toString());
    for (Visit visit : visits) {
      assertThat(end(visit)).isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.UNAVAILABLE);
    }
    held.countDown();
  }

  @Test
  void aConnectionHasOneCallAtATimeAndThatForSecondsOnly() throws Exception {
    ManagedChannel one = stranger();
    List<Visit> visits = halfSent(one, 2);

    assertThat(List.of(end(visits.get(0)), end(visits.get(1))))
        .containsExactlyInAnyOrder(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);
    assertThat(end(halfSent(one, 1).getFirst())).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void whoAsksAndGoesLeavesRoomForOthers() throws Exception {
    for (int i = 0; i < 3; i++) {
      ManagedChannel channel = stranger();
      List<Visit> visits = halfSent(channel, 30);
      channel.shutdownNow().awaitTermination(SOON_SECONDS, TimeUnit.SECONDS);
      for (Visit visit : visits) {
        assertThat(end(visit)).isNotNull();
      }
    }

    assertThat(join(cluster.token(Role.AGENT), cluster.address).peer().machine())
        .isEqualTo(MACHINE);
  }

  @Test
  void whoConnectsAndSaysNothingIsLetGo() throws Exception {
    try (Socket silent = new Socket(cluster.address.host(), cluster.address.port())) {
      silent.setSoTimeout(300_000);

      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** As {@code fleetd} does, each asks again until it is let in. */
  @Test
  void machinesThatComeAllAtOnceAllJoin() throws Exception {
    TokenText token = cluster.token(Role.AGENT);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Peer>> joining =
          IntStream.range(0, MANY)
              .mapToObj("%032x"::formatted)
              .map(id -> CompletableFuture.supplyAsync(() -> joined(token, id), threads))
              .toList();

      for (int i = 0; i < MANY; i++) {
        assertThat(joining.get(i).get().machine()).isEqualTo("%032x".formatted(i));
      }
    }
  }

  private Peer joined(TokenText token, String id) {
    // An answer may be lost, after which no other key will do.
    CertificateRequest request = CertificateRequest.of(id);
    while (true) {
      try {
        return file()
            .obtain(id, request, RemoteIssuers.joining(token, id, List.of(cluster.address), CLOCK))
            .peer();
      } catch (IOException e) {
        // The oldest of those that come at once from one address make room for the newest.
        assertThat(e).hasMessageContaining("server ");
      } catch (TrustException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}

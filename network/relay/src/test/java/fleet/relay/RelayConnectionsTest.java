package fleet.relay;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.request.ApiAnswer;
import fleet.core.machine.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A caller that does not read an answer holds up nobody else, and neither does a silent leader. */
class RelayConnectionsTest extends RelayFixture {

  /** In bytes; more than fits into a connection. */
  private static final int MUCH = 4 << 20;

  private final CountDownLatch reads = new CountDownLatch(1);

  private static void much(ApiAnswer answer) throws IOException {
    answer.begin(PlayedApi.endless());
    byte[] piece = new byte[64 << 10];
    for (int sent = 0; sent < MUCH; sent += piece.length) {
      answer.write(piece, piece.length);
    }
    answer.end(Map.of());
  }

  /** A client that does not go on reading what has begun to come until it is told to. */
  private CompletableFuture<@Nullable Void> slow(CountDownLatch begun) {
    ReceivedAnswer slow = new ReceivedAnswer();
    slow.beforePiece =
        () -> {
          begun.countDown();
          try {
            reads.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    return answering(SentRequest.get("/fleet/v1/events"), slow);
  }

  @Test
  void whoDoesNotReadHoldsUpNobodyElse() throws Exception {
    leader.answers = (_, answer) -> much(answer);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<?> slow = slow(begun);
    begun.await();

    ReceivedAnswer other = new ReceivedAnswer();
    answering(SentRequest.get("/fleet/v1/events"), other).get();
    assertThat(other.size()).isEqualTo(MUCH);
    leader.answers = (_, answer) -> answer.whole(PlayedApi.head(200), new byte[] {'x'});
    assertThat(answer(SentRequest.get("/fleet/v1/units")).body()).isEqualTo("x");
    reads.countDown();
    slow.get();
  }

  @Test
  void whatASilentLeaderWasNotToldIsAskedOfTheNext() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      leaders.leads(new HostPort("127.0.0.1", silent.getLocalPort()));
      ReceivedAnswer answer = new ReceivedAnswer();
      CompletableFuture<?> answering =
          answering(SentRequest.of("POST", "/fleet/v1/tokens").once(), answer);
      try (Socket _ = silent.accept()) {
        leaders.leads(server.address());
        answering.get();
      }
      assertThat(answer.body()).isEqualTo("first");
      assertThat(leader.requests).containsExactly("POST /fleet/v1/tokens  by user root");
    }
  }
}

package fleet.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.NotLeadingException;
import fleet.cluster.request.ApiHandler;
import fleet.rpc.RpcServer;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Events go on with whoever leads, for as long as their client reads them. */
class RelayedEventsTest extends RelayFixture {

  /** Tells one event, and then nothing more. */
  private static ApiHandler events(String event) {
    return (_, answer) -> {
      answer.begin(PlayedApi.endless());
      Thread writer = Thread.currentThread();
      try (var _ = answer.onGone(writer::interrupt)) {
        answer.write(event.getBytes(UTF_8), event);
        new CountDownLatch(1).await();
      }
    };
  }

  /** Otherwise a leader that breaks off in between would let the next one send the event again. */
  @Test
  void anEventArrivesTogetherWithItsPosition() throws Exception {
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.endless());
          answer.write("e1-7".getBytes(UTF_8), "e1-7");
          answer.end(Map.of());
        };
    ManagedChannel channel = channels.open(server.address());
    try {
      List<AnswerPart> parts = new ArrayList<>();
      ClientCalls.blockingServerStreamingCall(
              channel,
              RequestService.PASS,
              CallOptions.DEFAULT,
              PassedRequest.newBuilder().setMethod("GET").setTarget("/fleet/v1/events").build())
          .forEachRemaining(parts::add);
      assertThat(parts)
          .filteredOn(part -> !part.getData().isEmpty() || !part.getPosition().isEmpty())
          .singleElement()
          .satisfies(
              part -> assertThat(part.getPosition()).isEqualTo(part.getData().toStringUtf8()));
    } finally {
      channel.shutdownNow();
    }
  }

  /** Larger than any message may be, as that of a unit with a long file. */
  private static final String HUGE = "x".repeat(9 << 20);

  @Test
  void anEventMayBeLargerThanAMessage() throws Exception {
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.endless());
          answer.write(HUGE.getBytes(UTF_8), "e1-7");
          answer.end(Map.of());
        };
    ReceivedAnswer answer = new ReceivedAnswer();
    answering(SentRequest.get("/fleet/v1/events"), answer).get();
    assertThat(answer.body().equals(HUGE)).isTrue();
  }

  /** Its reader asks for it once more, and would otherwise have a part and the whole of it. */
  @Test
  void nobodyContinuesAnswersThatBreakOffWithinAnEvent() throws Exception {
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.endless());
          answer.write("e1-7".getBytes(UTF_8), "e1-7");
          answer.write(HUGE.getBytes(UTF_8), "e1-8");
        };
    ReceivedAnswer answer = new ReceivedAnswer();
    var reads = new Semaphore(2);
    answer.beforePiece = reads::acquireUninterruptibly;
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    assertThat(answer.pieces.take()).startsWith("x");
    PlayedApi next = new PlayedApi("next");
    next.answers = events("e2-1");
    try (RpcServer other = serve(next, 0)) {
      server.close();
      leaders.leads(other.address());
      reads.release(1000);
      assertThatThrownBy(() -> answering.get())
          .isInstanceOf(ExecutionException.class)
          .rootCause()
          .isNotNull();
    }
    assertThat(next.requests).isEmpty();
  }

  @Test
  void eventsGoOnWithTheNextLeader() throws Exception {
    leader.answers = events("e1-7");
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering =
        answering(
            SentRequest.get("/fleet/v1/events?unit=a").with("", Map.of("Last-Event-ID", "e1-1")),
            answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    PlayedApi next = new PlayedApi("next");
    next.answers = events("e2-1");
    try (RpcServer other = serve(next, 0)) {
      server.close();
      leaders.leads(other.address());
      assertThat(answer.pieces.take()).isEqualTo("e2-1");
      assertThat(next.requests)
          .containsExactly("GET /fleet/v1/events?unit=a  by user root, continued after [e1-7]");
      answer.leave();
      assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
    }
  }

  @Test
  void eventsGoOnWithTheSameLeader() throws Exception {
    leader.answers = events("e1-7");
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    leader.answers = events("e1-8");
    int port = server.address().port();
    server.close();
    server = serve(leader, port);
    assertThat(answer.pieces.take()).isEqualTo("e1-8");
    assertThat(leader.requests)
        .containsExactly(
            "GET /fleet/v1/events  by user root",
            "GET /fleet/v1/events  by user root, continued after [e1-7]");
    answer.leave();
    assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
  }

  @Test
  void eventsWhoseNetworkIsCutWithoutAWordGoOnElsewhere() throws Exception {
    leader.answers = events("e1-7");
    PlayedApi next = new PlayedApi("next");
    next.answers = events("e2-1");
    try (Proxy proxy = new Proxy(server.address());
        RpcServer other = serve(next, 0)) {
      leaders.leads(proxy.address());
      ReceivedAnswer answer = new ReceivedAnswer();
      CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
      assertThat(answer.pieces.take()).isEqualTo("e1-7");
      proxy.cut();
      leaders.leads(other.address());
      assertThat(answer.pieces.take()).isEqualTo("e2-1");
      answer.leave();
      assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
    }
  }

  /** Ends as at an orderly change of leader: whoever led says that others tell the rest. */
  private static ApiHandler eventsThatEnd(String event, CountDownLatch end) {
    return (_, answer) -> {
      if (end.getCount() == 0) {
        throw new NotLeadingException("another engine leads");
      }
      answer.begin(PlayedApi.endless());
      answer.write(event.getBytes(UTF_8), event);
      end.await();
      answer.continueElsewhere();
    };
  }

  @Test
  void eventsGoOnWhereTheLeaderEndsThemInOrder() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    leader.answers = eventsThatEnd("e1-7", end);
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    PlayedApi next = new PlayedApi("next");
    next.answers = events("e2-1");
    try (RpcServer other = serve(next, 0)) {
      leaders.leads(other.address());
      end.countDown();
      assertThat(answer.pieces.take()).isEqualTo("e2-1");
      assertThat(answer.trailers).as("the end").isNull();
      answer.leave();
      assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
    }
  }

  /** As with any that break off. */
  @Test
  void eventsOfWhoTakesOldNewsGoOn() throws Exception {
    leader.answers = events("e1-7");
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events?stale=1"), answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    PlayedApi next = new PlayedApi("next");
    next.answers = events("e2-1");
    try (RpcServer other = serve(next, 0)) {
      server.close();
      leaders.leads(other.address());
      assertThat(answer.pieces.take()).isEqualTo("e2-1");
      answer.leave();
      assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
    }
  }

  private static ApiHandler headAlone(CountDownLatch begun) {
    return (_, answer) -> {
      answer.begin(PlayedApi.endless());
      begun.countDown();
      throw new IOException("broke off");
    };
  }

  @Test
  void aLeaderThatBreaksOffBeforeItsFirstPositionDoesNotEndThem() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    leader.answers = eventsThatEnd("e1-7", end);
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    PlayedApi second = new PlayedApi("second");
    second.answers = headAlone(begun);
    PlayedApi third = new PlayedApi("third");
    third.answers = events("e3-1");
    try (RpcServer two = serve(second, 0);
        RpcServer three = serve(third, 0)) {
      leaders.leads(two.address());
      end.countDown();
      begun.await();
      leaders.leads(three.address());
      assertThat(answer.pieces.take()).isEqualTo("e3-1");
      assertThat(third.requests)
          .containsExactly("GET /fleet/v1/events  by user root, continued after [e1-7]");
      answer.leave();
      assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
    }
  }

  @Test
  void aLeaderThatNeverTellsWhatFollowsIsGivenUp() throws Exception {
    leader.answers =
        (request, answer) -> {
          answer.begin(PlayedApi.endless());
          String events = request.isContinued() ? "" : "e1-7";
          answer.write(events.getBytes(UTF_8), "e1-7");
          throw new IllegalStateException("cannot tell the next one");
        };
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
    assertThatThrownBy(() -> answering.get()).hasMessageContaining("sends no events after e1-7");
    assertThat(leader.requests).hasSizeLessThan(20);
  }

  @Test
  void aClientThatGoesWhileNobodyLeadsIsMissed() throws Exception {
    leader.answers = events("e1-7");
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
    assertThat(answer.pieces.take()).isEqualTo("e1-7");
    leaders.nobody();
    server.close();
    leaders.awaitAsker();
    answer.leave();
    assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
  }
}

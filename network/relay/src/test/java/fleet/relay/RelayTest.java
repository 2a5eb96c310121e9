package fleet.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.cluster.UncertainLeadException;
import fleet.core.machine.HostPort;
import fleet.core.testing.Await;
import fleet.core.testing.ServerPorts;
import fleet.rpc.RpcServer;
import io.grpc.ServerInterceptors;
import io.grpc.StatusException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Over TCP on loopback. */
class RelayTest extends RelayFixture {

  // ---- as they are

  @Test
  void requestAndAnswerComeAsTheyAre() throws Exception {
    leader.answers =
        (request, answer) -> {
          assertThat(request.headers("content-type")).containsExactly("application/json");
          assertThat(request.headers("Authorization")).isEmpty();
          assertThat(request.connection()).endsWith("/c1");
          answer.whole(PlayedApi.head(409), "no".getBytes(UTF_8));
        };
    ReceivedAnswer answer =
        answer(
            SentRequest.of("PUT", "/fleet/v1/units/a%20b.service?x=1")
                .with("{}", Map.of("Content-Type", "application/json", "Authorization", "secret")));

    assertThat(leader.requests)
        .containsExactly("PUT /fleet/v1/units/a%20b.service?x=1 {} by user root");
    assertThat(answer.head).isEqualTo(PlayedApi.head(409));
    assertThat(answer.body()).isEqualTo("no");
  }

  @Test
  void anAnswerInPiecesComesWithItsTrailers() throws Exception {
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.endless());
          PlayedApi.write(answer, "a\n");
          PlayedApi.write(answer, "b\n");
          answer.end(Map.of("Fleet-Exit-Status", "3"));
        };
    ReceivedAnswer answer = answer(SentRequest.get("/fleet/v1/units/a.service/journal"));

    assertThat(answer.head).isEqualTo(PlayedApi.endless());
    assertThat(answer.pieces).containsExactly("a\n", "b\n");
    assertThat(answer.trailers).containsExactlyEntriesOf(Map.of("Fleet-Exit-Status", "3"));
  }

  @Test
  void anAnswerWithoutABodyEnds() throws Exception {
    leader.answers = (_, answer) -> answer.whole(PlayedApi.head(204), new byte[0]);
    assertThat(answer(SentRequest.of("DELETE", "/fleet/v1/units/a.service")).status())
        .isEqualTo(204);
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.endless());
          answer.end(Map.of());
        };
    ReceivedAnswer endless = answer(SentRequest.get("/fleet/v1/journal"));
    assertThat(endless.pieces).isEmpty();
    assertThat(endless.trailers).isEmpty();
  }

  @Test
  void anAnswerOfAnyLengthComesWhole() throws Exception {
    byte[] large = new byte[20 << 20];
    Arrays.fill(large, (byte) 'x');
    leader.answers = (_, answer) -> answer.whole(PlayedApi.head(200), large);

    assertThat(answer(SentRequest.get("/fleet/v1/state")).size()).isEqualTo(large.length);
  }

  @Test
  void answersSeeWhatThisFleetdHasWritten() throws Exception {
    answer(SentRequest.get("/fleet/v1/units"));
    assertThat(awaited).hasValue(0);
    written.set(42);
    answer(SentRequest.get("/fleet/v1/units"));
    assertThat(awaited).hasValue(42);
  }

  // ---- a leader that stops

  @Test
  void aLeaderThatStopsAnswersWhatItHasTakenAndRefusesTheRestUndone() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    PlayedApi stopping = new PlayedApi("stopping");
    stopping.answers =
        (_, answer) -> {
          go.await();
          answer.whole(PlayedApi.head(200), "done".getBytes(UTF_8));
        };
    RequestService service = new RequestService(stopping, awaited::set);
    try (RpcServer port = serve(service.bindService(), ServerPorts.take(1).getFirst())) {
      leaders.leads(port.address());
      ReceivedAnswer taken = new ReceivedAnswer();
      var first = answering(SentRequest.of("POST", "/fleet/v1/orders").once(), taken);
      assertThat(stopping.requests.take()).startsWith("POST");

      Thread draining =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  service.drain();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      Await.until(() -> draining.getState() == Thread.State.TIMED_WAITING);
      leaders.leads(server.address());
      ReceivedAnswer later = answer(SentRequest.of("POST", "/fleet/v1/orders").once());
      go.countDown();
      draining.join();
      first.get();

      assertThat(later.body()).isEqualTo("first");
      assertThat(taken.body()).isEqualTo("done");
      assertThat(stopping.requests).isEmpty();
    }
  }

  // ---- flow

  private final AtomicLong sent = new AtomicLong();
  private final CountDownLatch ended = new CountDownLatch(1);

  private void answerForEver() {
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.endless());
          Thread writer = Thread.currentThread();
          byte[] piece = new byte[16 << 10];
          try (var _ = answer.onGone(writer::interrupt)) {
            while (true) {
              answer.write(piece, piece.length);
              sent.addAndGet(piece.length);
            }
          } finally {
            ended.countDown();
          }
        };
  }

  @Test
  void anAnswerThatNobodyReadsIsNotReadAheadOf() throws Exception {
    answerForEver();
    CountDownLatch reads = new CountDownLatch(1);
    ReceivedAnswer slow = new ReceivedAnswer();
    slow.beforePiece =
        () -> {
          try {
            reads.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), slow);
    long before = -1;
    while (before != sent.get()) {
      before = sent.get();
      // No event says that nothing more comes; more would have come within that time.
      assertThat(ended.await(300, TimeUnit.MILLISECONDS)).isFalse();
    }
    assertThat(before).isLessThan(2 << 20);
    reads.countDown();
    slow.leave();
    ended.await();
    assertThatThrownBy(() -> answering.get()).isInstanceOf(ExecutionException.class);
  }

  @Test
  void aServerThatStopsBreaksAnswersOff() throws Exception {
    answerForEver();
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/journal"), answer);
    assertThat(answer.pieces.take()).isNotNull();
    server.close();
    assertThatThrownBy(() -> answering.get())
        .hasRootCauseInstanceOf(StatusException.class)
        .hasMessageContaining("broke off");
    assertThat(answer.trailers).isNull();
  }

  /** Else its writer would wait for ever for somebody who is not listened to any more. */
  @Test
  void anAnswerToAMachineThatIsThrownOutEnds() throws Exception {
    answerForEver();
    CutCalls calls = new CutCalls();
    try (RpcServer other = serve(ServerInterceptors.intercept(service(leader), calls), 0)) {
      leaders.leads(other.address());
      ReceivedAnswer answer = new ReceivedAnswer();
      CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/events"), answer);
      assertThat(answer.pieces.take()).isNotNull();
      calls.cut();
      ended.await();
      assertThatThrownBy(() -> answering.get()).hasMessageContaining("broke off");
    }
  }

  // ---- who leads changes

  @Test
  void whoLeadsNoLongerSaysSoAndTheNextOneIsAsked() throws Exception {
    leader.answers =
        (_, _) -> {
          throw new NotLeadingException("another engine leads");
        };
    PlayedApi next = new PlayedApi("next");
    try (RpcServer other = serve(next, 0)) {
      ReceivedAnswer answer = new ReceivedAnswer();
      CompletableFuture<?> answering =
          answering(SentRequest.of("POST", "/fleet/v1/units/a.service/restart"), answer);
      leaders.leads(other.address());
      answering.get();
      assertThat(answer.body()).isEqualTo("next");
    }
    assertThat(next.requests)
        .containsExactly("POST /fleet/v1/units/a.service/restart  by user root");
  }

  @Test
  void whileNobodyLeadsItWaits() throws Exception {
    leaders.nobody();
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/units"), answer);
    leaders.leads(server.address());
    answering.get();
    assertThat(answer.body()).isEqualTo("first");
  }

  /** A leader that is long in coming costs little. */
  @Test
  void whileNobodyLeadsFewAreAsked() throws Exception {
    leaders.nobody();
    try (var impatient = new Relay(leaders, channels, written::get, Duration.ofMillis(300))) {
      assertThatThrownBy(
              () -> impatient.handle(SentRequest.get("/fleet/v1/units"), new ReceivedAnswer()))
          .isInstanceOf(ClusterUnavailableException.class);
    }
    assertThat(leaders.looks.get()).isLessThan(10);
  }

  @Test
  void inTheEndItSaysWhyNot() throws Exception {
    HostPort dead = deadAddress();
    try (var impatient = new Relay(leaders, channels, written::get, Duration.ofMillis(300))) {
      SentRequest units = SentRequest.get("/fleet/v1/units");
      leaders.nobody();
      assertThatThrownBy(() -> impatient.handle(units, new ReceivedAnswer()))
          .isInstanceOf(ClusterUnavailableException.class)
          .hasMessage(
              "no server is known to lead the cluster; one takes over within seconds if it is up and"
                  + " reaches the store");
      leaders.leads(dead);
      // A busy machine may not get to it in time.
      String why = "the leader at " + dead + " cannot be reached: ";
      Await.until(() -> refusal(impatient, units).startsWith(why));
    }
  }

  private static String refusal(Relay relay, SentRequest request) {
    try {
      relay.handle(request, new ReceivedAnswer());
      return "";
    } catch (ClusterUnavailableException e) {
      return String.valueOf(e.getMessage());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatWasNotSentIsSentToTheNextLeader() throws Exception {
    leaders.leads(deadAddress());
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering =
        answering(SentRequest.of("POST", "/fleet/v1/units/a.service/restart"), answer);
    leaders.leads(server.address());
    answering.get();
    assertThat(leader.requests).hasSize(1);
  }

  @Test
  void whatIsNotTheSameTwiceIsNotRepeated() throws Exception {
    for (String target : List.of("/fleet/v1/tokens", "/fleet/v1/units/a.service/restart?stale=1")) {
      CountDownLatch arrived = holdUp();
      CompletableFuture<?> answering =
          answering(SentRequest.of("POST", target).once(), new ReceivedAnswer());
      arrived.await();
      int port = server.address().port();
      server.close();
      assertThatThrownBy(() -> answering.get())
          .hasRootCauseInstanceOf(StatusException.class)
          .hasMessageContaining("whether it was done is not known: look, and do it again");
      server = serve(leader, port);
    }
    assertThat(leader.requests).hasSize(2);
  }

  @Test
  void whatMayBeDoneTwiceIsAskedOfTheNextLeaderWhoIsToldSo() throws Exception {
    CountDownLatch arrived = holdUp();
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering =
        answering(SentRequest.of("DELETE", "/fleet/v1/units/a.service"), answer);
    arrived.await();
    PlayedApi next = new PlayedApi("next");
    try (RpcServer other = serve(next, 0)) {
      server.close();
      leaders.leads(other.address());
      answering.get();
      assertThat(answer.body()).isEqualTo("next");
      assertThat(next.requests)
          .containsExactly("DELETE /fleet/v1/units/a.service  by user root, repeated");
    }
  }

  /** From now on requests hang once they have arrived. */
  private CountDownLatch holdUp() {
    CountDownLatch arrived = new CountDownLatch(1);
    leader.answers =
        (_, _) -> {
          arrived.countDown();
          new CountDownLatch(1).await();
        };
    return arrived;
  }

  /** An answer that has an end comes from one leader as a whole. */
  @Test
  void anAnswerThatBreaksOffSoonIsAskedForAgain() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    leader.answers =
        (_, answer) -> {
          answer.begin(PlayedApi.head(200));
          PlayedApi.write(answer, "half of ");
          begun.countDown();
          new CountDownLatch(1).await();
        };
    ReceivedAnswer answer = new ReceivedAnswer();
    CompletableFuture<?> answering = answering(SentRequest.get("/fleet/v1/units"), answer);
    begun.await();
    try (RpcServer other = serve(new PlayedApi("next"), 0)) {
      server.close();
      leaders.leads(other.address());
      answering.get();
    }
    assertThat(answer.body()).isEqualTo("next");
  }

  // ---- old news

  @Test
  void whoDoesNotMindOldNewsIsToldNewOnesWhereThereAreAny() throws Exception {
    try (RpcServer other = serve(new PlayedApi("next"), 0)) {
      leader.answers =
          (request, answer) -> {
            leaders.leads(other.address());
            throw new UncertainLeadException("etcd is not reached");
          };
      ReceivedAnswer answer = answer(SentRequest.get("/fleet/v1/units?stale=1"));
      assertThat(answer.body()).isEqualTo("next");
    }
  }

  @Test
  void elseOldOnesWillDo() throws Exception {
    leader.answers =
        (request, answer) -> {
          if (request.mustBeCertain()) {
            throw new UncertainLeadException("etcd is not reached");
          }
          answer.whole(PlayedApi.head(200), new byte[] {'o', 'l', 'd'});
        };
    assertThat(answer(SentRequest.get("/fleet/v1/units?a=b&stale=true")).body()).isEqualTo("old");
  }

  // ---- many

  @Test
  void manyAskAtOnceWhileTheServerComesAndGoes() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    AtomicBoolean wrong = new AtomicBoolean();
    List<CompletableFuture<@Nullable Void>> asking =
        IntStream.range(0, 8)
            .mapToObj(_ ->
                CompletableFuture.runAsync(
                    () -> {
                      for (int i = 0; i < 40; i++) {
                        ReceivedAnswer answer = new ReceivedAnswer();
                        answering(SentRequest.get("/fleet/v1/units"), answer).join();
                        wrong.compareAndSet(false, !answer.body().equals("first"));
                        answered.incrementAndGet();
                      }
                    },
                    Executors.newVirtualThreadPerTaskExecutor()))
            .toList();
    int port = server.address().port();
    for (int i = 0; i < 3; i++) {
      int before = answered.get();
      while (answered.get() < before + 20 && answered.get() < 320) {
        Thread.onSpinWait();
      }
      server.close();
      server = serve(leader, port);
    }
    for (CompletableFuture<@Nullable Void> asker : asking) {
      asker.get();
    }
    assertThat(answered).hasValue(320);
    assertThat(wrong).isFalse();
  }
}

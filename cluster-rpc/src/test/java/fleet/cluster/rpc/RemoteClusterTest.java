package fleet.cluster.rpc;

import static fleet.cluster.rpc.PlayedCluster.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.StartResult;
import fleet.cluster.UncertainLeadException;
import fleet.core.machine.HostPort;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import io.grpc.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over TCP on loopback. */
class RemoteClusterTest extends ClusterContract {

  private static final RpcSecurity PLAIN = new RpcSecurity.PlainText(false);

  private final KnownLeaders leaders = new KnownLeaders();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong awaited = new AtomicLong();
  private final RpcChannels channels = new RpcChannels(PLAIN);
  private RpcServer server;
  private RemoteCluster remote;

  @BeforeEach
  void serve() {
    server = serve(played, 0);
    leaders.leads(server.address(), 1);
    remote = new RemoteCluster(leaders, channels, written::get, LONG);
  }

  private RpcServer serve(Cluster cluster, int port) {
    try {
      return RpcServer.open(
          "127.0.0.1",
          port,
          PLAIN,
          List.of(new ClusterService(cluster, awaited::set).bindService()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    remote.close();
    server.close();
  }

  @Override
  Cluster cluster() {
    return remote;
  }

  @Test
  void queriesSeeWhatThisFleetdHasWritten() {
    assertThat(remote.units()).isEmpty();
    assertThat(awaited).hasValue(0);
    written.set(42);
    assertThat(remote.unit(WEB)).isEmpty();
    assertThat(awaited).hasValue(42);
  }

  // ---- flow

  @Test
  void anAnswerThatNobodyReadsIsNotReadAheadOf() throws Exception {
    PlayedAnswer endless = PlayedAnswer.endless();
    played.answers = (_, _) -> Optional.of(endless);
    try (Answer answer = remote.ask("m1", new Question.Status(WEB, true)).orElseThrow()) {
      assertThat(answer.body().readNBytes(10)).hasSize(10);
      long before = -1;
      while (before != endless.read.get()) {
        before = endless.read.get();
        // What would come would come within that time; nothing says that nothing comes.
        assertThat(endless.closed.await(300, TimeUnit.MILLISECONDS)).isFalse();
      }
      assertThat(before).isLessThan(2 << 20);
      assertThat(answer.body().readNBytes(4 << 20)).hasSize(4 << 20);
    }
    assertThat(endless.closed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aServerThatStopsBreaksAnswersOff() throws Exception {
    played.answers = (_, _) -> Optional.of(PlayedAnswer.endless());
    try (Answer answer = remote.ask("m1", new Question.Status(WEB, true)).orElseThrow()) {
      assertThat(answer.body().readNBytes(10)).hasSize(10);
      server.close();
      assertThatThrownBy(() -> answer.body().readAllBytes())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the answer of machine m1 broke off: ");
    }
  }

  @Test
  void eventsWithMoreFilesThanAMessageTakesAllArrive() throws Exception {
    try (EventStream stream = remote.follow(EventsFrom.NOW)) {
      played.happen(
          IntStream.range(0, 20)
              .<Event.Body>mapToObj(
                  i -> new Event.UnitChanged(view("u%d.service".formatted(i), large(i))))
              .toList());

      List<Event> events = next(stream, 20);
      assertThat(events).extracting(event -> event.id().sequence()).isSorted().hasSize(20);
      assertThat(events.getLast().body())
          .isEqualTo(new Event.UnitChanged(view("u19.service", large(19))));
    }
  }

  private static UnitFile large(int number) {
    return PlayedCluster.file(
        "[Service]\nEnvironment=A=%d%s\n".formatted(number, "x".repeat(500_000)));
  }

  @Test
  void eventsThatCannotBeReadHereAreGivenUpAndNotAskedForAgain() throws Exception {
    try (EventStream stream = remote.follow(EventsFrom.NOW)) {
      String one = "x".repeat(9 << 20);
      played.happen(new Event.MachineGone("m1", one));

      assertThatThrownBy(() -> next(stream, 1))
          .isInstanceOf(ClusterUnavailableException.class)
          .hasMessageStartingWith("what the leader tells cannot be followed from here: ");
    }
  }

  // ---- the leader changes

  @Test
  void whoLeadsNoLongerSaysSoAndTheNextOneIsAsked() {
    played.before =
        () -> {
          throw new NotLeadingException("another engine leads");
        };
    PlayedCluster next = new PlayedCluster("e2");
    next.units.put(WEB, view("web.service", SLEEP));
    try (RpcServer other = serve(next, 0)) {
      CompletableFuture<StartResult> restarted =
          CompletableFuture.supplyAsync(() -> remote.restart(WEB, ROOT));
      leaders.leads(other.address(), 2);
      assertThat(restarted.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(StartResult.ACCEPTED);
      assertThat(remote.units()).hasSize(1);
    }
    assertThat(played.commands).isEmpty();
    assertThat(next.commands).containsExactly("restart web.service by user root");
  }

  @Test
  void whileNobodyLeadsItWaits() {
    leaders.nobody();
    CompletableFuture<?> asked = CompletableFuture.supplyAsync(() -> remote.units());
    leaders.leads(server.address(), 2);
    assertThat(asked.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(List.of());
  }

  @Test
  void whoDoesNotMindOldNewsIsToldNewOnesWhereThereAreAny() {
    played.stale(Instant.parse("2026-01-01T00:00:00Z"));
    PlayedCluster next = new PlayedCluster("e2");
    next.units.put(WEB, view("web.service", SLEEP));
    List<Instant> told = new ArrayList<>();
    try (RpcServer other = serve(next, 0)) {
      played.before =
          () -> {
            leaders.leads(other.address(), 2);
            throw new UncertainLeadException("etcd is not reached");
          };
      assertThat(remote.evenIfStale(told::add).units()).hasSize(1);
    }
    assertThat(told).isEmpty();
  }

  @Test
  void inTheEndItSaysWhyNot() throws IOException {
    HostPort dead = deadAddress();
    try (var impatient =
        new RemoteCluster(leaders, channels, written::get, Duration.ofMillis(300))) {
      leaders.nobody();
      assertThatThrownBy(() -> impatient.units())
          .isInstanceOf(ClusterUnavailableException.class)
          .hasMessageContaining("no engine leads, as far as is known here");
      leaders.leads(dead, 2);
      assertThatThrownBy(() -> impatient.units())
          .isInstanceOf(ClusterUnavailableException.class)
          .hasMessageStartingWith("the leader at " + dead + " cannot be reached: ");
    }
  }

  private static HostPort deadAddress() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return new HostPort("127.0.0.1", socket.getLocalPort());
    }
  }

  @Test
  void aCommandThatWasNotSentIsSentToTheNextLeader() throws IOException {
    leaders.leads(deadAddress(), 2);
    played.units.put(WEB, view("web.service", SLEEP));
    CompletableFuture<StartResult> restarted =
        CompletableFuture.supplyAsync(() -> remote.restart(WEB, ROOT));
    leaders.leads(server.address(), 3);
    assertThat(restarted.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(StartResult.ACCEPTED);
    assertThat(played.commands).hasSize(1);
  }

  @Test
  void aRestartThatMayHaveBeenDoneIsNotRepeated() throws Exception {
    CountDownLatch arrived = holdUp();
    CompletableFuture<StartResult> restarted =
        CompletableFuture.supplyAsync(() -> remote.restart(WEB, ROOT));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    server.close();
    assertThatThrownBy(() -> restarted.orTimeout(20, TimeUnit.SECONDS).join())
        .hasRootCauseInstanceOf(StatusException.class)
        .hasMessageContaining("whether it was done is not known: look, and do it again");
  }

  @Test
  void whatMayBeDoneTwiceIsAskedOfTheNextLeader() throws Exception {
    CountDownLatch arrived = holdUp();
    CompletableFuture<Boolean> destroyed =
        CompletableFuture.supplyAsync(() -> remote.destroy(WEB, ROOT));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    PlayedCluster next = new PlayedCluster("e2");
    try (RpcServer other = serve(next, 0)) {
      server.close();
      leaders.leads(other.address(), 2);
      // It is not there any more, by whichever of the two.
      assertThat(destroyed.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
      assertThat(next.commands).containsExactly("destroy web.service by user root");
    }
  }

  /** From now on requests hang once they have arrived. */
  private CountDownLatch holdUp() {
    CountDownLatch arrived = new CountDownLatch(1);
    played.before =
        () -> {
          arrived.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new ClusterUnavailableException("interrupted", e);
          }
        };
    return arrived;
  }

  @Test
  void aStreamOfEventsGoesOnWithTheNextLeaderAfterAGap() throws Exception {
    try (EventStream stream = remote.follow(EventsFrom.NOW)) {
      played.happen(new Event.UnitDestroyed(WEB));
      assertThat(next(stream, 1)).hasSize(1);
      PlayedCluster next = new PlayedCluster("e2");
      try (RpcServer other = serve(next, 0)) {
        server.close();
        leaders.leads(other.address(), 2);
        assertThat(next(stream, 1)).extracting(Event::body).containsExactly(new Event.Gap());
        next.happen(new Event.MachineGone("m1", "silent"));
        assertThat(next(stream, 1)).extracting(event -> event.id().epoch()).containsExactly("e2");
      }
    }
  }

  @Test
  void aStreamOfEventsGoesOnWithTheSameLeaderWithoutAGap() throws Exception {
    try (EventStream stream = remote.follow(EventsFrom.NOW)) {
      played.happen(new Event.UnitDestroyed(WEB));
      assertThat(next(stream, 1)).hasSize(1);
      int port = server.address().port();
      server.close();
      played.happen(new Event.MachineGone("m1", "silent"));
      server = serve(played, port);
      assertThat(next(stream, 1))
          .extracting(Event::body)
          .containsExactly(new Event.MachineGone("m1", "silent"));
    }
  }

  @Test
  void aStreamWhoseNetworkIsCutWithoutAWordGoesOnElsewhere() throws Exception {
    PlayedCluster next = new PlayedCluster("e2");
    try (Proxy proxy = new Proxy(server.address());
        RpcServer other = serve(next, 0)) {
      leaders.leads(proxy.address(), 2);
      try (EventStream stream = remote.follow(EventsFrom.NOW)) {
        played.happen(new Event.UnitDestroyed(WEB));
        assertThat(next(stream, 1)).hasSize(1);
        proxy.cut();
        leaders.leads(other.address(), 3);
        assertThat(next(stream, 1)).extracting(Event::body).containsExactly(new Event.Gap());
      }
    }
  }

  @Test
  void manyAskAtOnceWhileTheServerComesAndGoes() throws Exception {
    for (int i = 0; i < 300; i++) {
      String name = "u%03d.service".formatted(i);
      played.units.put(UnitName.of(name), view(name, SLEEP));
    }
    AtomicInteger answered = new AtomicInteger();
    List<CompletableFuture<Void>> asking =
        IntStream.range(0, 8)
            .mapToObj(_ ->
                CompletableFuture.runAsync(
                    () -> {
                      for (int i = 0; i < 40; i++) {
                        assertThat(remote.units()).hasSize(300);
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
      server = serve(played, port);
    }
    for (CompletableFuture<Void> asker : asking) {
      asker.get(40, TimeUnit.SECONDS);
    }
    assertThat(answered).hasValue(320);
  }
}

package fleet.coordination.store;

import static fleet.coordination.store.Node.TTL;
import static fleet.coordination.store.Node.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.coordination.EventThread;
import fleet.coordination.PreparedAnswer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Snapshot;
import fleet.registry.records.Keys;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that are large, slow, unfinished or unread. */
class AnswersTest extends StoreTest {

  private static final Duration QUESTION_TTL = Duration.ofSeconds(10);
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final Question JOURNAL = new Question.Journal(unit(1), 10, true, "short");

  private final PreparedAnswer source = new PreparedAnswer();
  private final CompletableFuture<Question> asked = new CompletableFuture<>();
  private final SteeredLoops loops = SteeredLoops.running();
  private StoreEngineCoordination questions;
  private Node node;

  @BeforeEach
  void join() throws Exception {
    questions = closed(new StoreEngineCoordination(engineSide, loops::start));
    node = joinAnswering();
    heard.awaitMachine(MACHINE);
  }

  private Node joinAnswering() {
    return closed(
        new Node(
            machineSide,
            MACHINE,
            TTL,
            question -> {
              asked.complete(question);
              return source;
            }));
  }

  private Answer ask() throws Exception {
    Answer answer = questions.ask(MACHINE.id(), JOURNAL).orElseThrow();
    assertThat(asked.get()).isEqualTo(JOURNAL);
    return answer;
  }

  private Answer begun() throws Exception {
    Answer answer = ask();
    source.write(new byte[] {7});
    assertThat(answer.body().read()).isEqualTo(7);
    return answer;
  }

  private List<Entry> stored() {
    return engineSide.read(Keys.ANSWERS).entries();
  }

  /** The machine deletes its answer, and whoever asked the question, in either order. */
  private void awaitNothingStored() throws Exception {
    awaitNothingIn(Keys.ANSWERS);
    awaitNothingIn(Keys.QUESTIONS);
  }

  private void awaitNothingIn(String prefix) throws Exception {
    CompletableFuture<Void> empty = new CompletableFuture<>();
    Snapshot before = engineSide.read(prefix);
    Emptied emptied = new Emptied(empty, () -> engineSide.read(prefix).entries());
    try (var _ = engineSide.watch(prefix, before, emptied)) {
      if (!before.entries().isEmpty()) {
        empty.get();
      }
    }
  }

  /** A store keeps what was, and what somebody types may be a password. */
  @Test
  void commandsOfPeopleDoNotGoThroughTheStore() {
    var exec = new Question.Exec(UUID.randomUUID().toString(), List.of("id"), Optional.empty());
    try (Answer answer = questions.ask(MACHINE.id(), exec).orElseThrow()) {
      assertThatThrownBy(() -> answer.body().read()).hasMessageContaining("use fleetctl ssh");
    }
    assertThat(engineSide.read(Keys.QUESTIONS).entries()).isEmpty();
    assertThat(asked).isNotDone();
  }

  @Test
  void aLargeAnswerWaitsForItsReader() throws Exception {
    byte[] journal = new byte[8 << 20];
    new Random(1).nextBytes(journal);
    try (Answer answer = ask();
        ExecutorService writing = Executors.newVirtualThreadPerTaskExecutor()) {
      var written =
          writing.submit(() -> {
            source.write(journal);
            source.end(0);
            return true;
          });
      InputStream body = answer.body();
      for (int read = 0; read < journal.length; ) {
        byte[] some = body.readNBytes(2 << 20);
        assertThat(Arrays.equals(some, 0, some.length, journal, read, read + some.length)).isTrue();
        read += some.length;
        assertThat(stored()).hasSizeLessThanOrEqualTo(1 + IncomingQuestion.MOST_OUTSTANDING + 1);
        assertThat(stored()).allMatch(piece -> piece.value().length() <= 64 << 10);
      }
      assertThat(body.read()).isEqualTo(-1);
      assertThat(answer.exitStatus()).isZero();
      assertThat(written.get()).isTrue();
    }
    awaitNothingStored();
  }

  @Test
  void closingEarlyEndsTheWorkAndLeavesNothing() throws Exception {
    Answer answer = begun();
    try (ExecutorService writing = Executors.newVirtualThreadPerTaskExecutor()) {
      var written =
          writing.submit(() -> {
            source.write(new byte[1 << 20]);
            return true;
          });
      answer.close();
      source.awaitClosed();
      assertThatThrownBy(written::get).hasRootCauseInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> answer.body().read()).isInstanceOf(IOException.class);
    awaitNothingStored();
  }

  @Test
  void aMachineThatGoesAwayEndsItsAnswerWithAFault() throws Exception {
    try (Answer answer = begun()) {
      node.session.leave(true);

      assertThatThrownBy(() -> answer.body().read())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("m1");
      source.awaitClosed();
    }
    assertThat(questions.ask(MACHINE.id(), JOURNAL)).isEmpty();
  }

  @Test
  void aFleetdThatStartsAgainEndsTheAnswersOfTheOneBefore() throws Exception {
    try (Answer answer = begun()) {
      node.close();
      joinAnswering();

      assertThatThrownBy(() -> answer.body().read())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("m1");
    }
    awaitNothingStored();
  }

  @Test
  void whoAskedAndDiedIsAnsweredNoMore() throws Exception {
    ObservedRegistry asking = new ObservedRegistry(openRegistry("asking"));
    var dying = new StoreEngineCoordination(asking, EventThread::new);
    Answer answer = dying.ask(MACHINE.id(), JOURNAL).orElseThrow();
    source.write(new byte[] {7});
    assertThat(answer.body().read()).isEqualTo(7);
    dying.close();
    asking.close();
    assertThat(asking.granted()).extracting(Lease::ttl).containsExactly(QUESTION_TTL);
    end(asking.granted().getFirst().id());

    source.awaitClosed();
    awaitNothingStored();
  }

  @Test
  void aMachineThatIsThereAndSilentIsNotWaitedForForEver() throws Exception {
    node.close();
    try (Answer answer = questions.ask(MACHINE.id(), JOURNAL).orElseThrow()) {
      loops.skip(SILENCE);

      assertThatThrownBy(() -> answer.body().read())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("m1")
          .hasMessageContaining("not begun to answer");
    }
  }
}

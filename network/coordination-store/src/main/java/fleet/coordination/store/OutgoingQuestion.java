package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.IncomingAnswer;
import fleet.core.question.Answer;
import fleet.registry.Lease;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.records.Keys;
import fleet.registry.records.QuestionRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A question in the store, on a lease that is renewed as long as somebody reads the answer. Its
 * deletion tells the machine that the reader is gone.
 */
final class OutgoingQuestion {

  private static final Logger log = LoggerFactory.getLogger(OutgoingQuestion.class);

  private final SharedRegistry registry;
  private final EventLoop loop;
  private final String machine;
  private final String id;
  private final QuestionRecord record;
  private final Lease lease;
  private final long created;
  private final IncomingAnswer answer;
  private final AnswerPieces pieces;

  /** Pieces below this one have been deleted. */
  private long deleted = 1;

  private @Nullable LeaseRenewal renewal;
  private @Nullable Watch watch;
  private boolean closed;

  OutgoingQuestion(
      SharedRegistry registry,
      EventLoop loop,
      String machine,
      String id,
      QuestionRecord record,
      Lease lease,
      long created) {
    this.registry = registry;
    this.loop = loop;
    this.machine = machine;
    this.id = id;
    this.record = record;
    this.lease = lease;
    this.created = created;
    this.answer = new IncomingAnswer(machine, this::taken, this::close);
    this.pieces = new AnswerPieces(machine, id, answer);
  }

  /** Nothing of the answer can be older than the question. */
  Answer follow(Duration silence) {
    try {
      watch = registry.watch(Keys.answers(id), new Snapshot(created, List.of()), pieces);
    } catch (RegistryException e) {
      close();
      throw e;
    }
    loop.post(this::keepAlive);
    loop.postAfter(
        silence,
        () ->
            pieces.failIfSilent(
                "machine %s has not begun to answer within %d s; see the journal of its fleetd"
                    .formatted(machine, silence.toSeconds())));
    return answer;
  }

  private void keepAlive() {
    if (!closed) {
      renewal =
          new LeaseRenewal(
              loop,
              "a question",
              lease,
              _ -> answer.failBeforeTheEnd("the question to machine " + machine + " timed out"));
    }
  }

  /** Called by the reader alone. */
  private void taken(long count) throws IOException {
    Transaction.Builder transaction =
        Transaction.when()
            .createdAt(Keys.question(machine, id), created)
            .put(Keys.question(machine, id), record.withTaken(count).json(), lease);
    while (deleted <= count) {
      transaction.delete(Keys.answer(id, deleted++));
    }
    try {
      registry.commit(transaction.build());
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Also the watcher may be the one that closes, so nothing here waits. */
  private void close() {
    loop.post(() -> {
      closed = true;
      if (renewal != null) {
        renewal.close();
      }
    });
    loop.beside("end of a question", this::letGo);
  }

  private void letGo() {
    if (watch != null) {
      watch.close();
    }
    try {
      lease.revoke();
    } catch (RegistryException e) {
      log.debug("coordination: a question ends with its lease: {}", e.getMessage());
    }
  }
}

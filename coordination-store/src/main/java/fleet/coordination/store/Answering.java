package fleet.coordination.store;

import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.AnswerRecord;
import fleet.registry.records.Keys;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One question being answered: pieces of the answer go into the store as fast as its reader takes
 * them. Belongs to its loop; what waits for the answer or the store does so beside it.
 */
final class Answering implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Answering.class);

  /** How many pieces may lie in the store that the reader has not taken. */
  static final int MOST_OUTSTANDING = 4;

  private static final int CANNOT_RUN = 127;

  private final EventLoop loop;
  private final StoreWork work;
  private final Registry registry;
  private final Answerer answerer;
  private final String machineKey;
  private final Membership membership;
  private final Entry asked;
  private final String id;
  private final Question question;

  /** The first piece, the one that begins it, is not for taking. */
  private long written = 1;

  private long taken;
  private boolean working;
  private boolean over;
  private @Nullable Answer answer;

  /** Begins to answer. */
  Answering(
      EventLoop loop,
      StoreWork work,
      Registry registry,
      Answerer answerer,
      String machine,
      Membership membership,
      Entry asked,
      Question question) {
    this.loop = loop;
    this.work = work;
    this.registry = registry;
    this.answerer = answerer;
    this.machineKey = Keys.machine(machine);
    this.membership = membership;
    this.asked = asked;
    this.id = asked.key().substring(asked.key().lastIndexOf('/') + 1);
    this.question = question;
    begin();
  }

  /** The reader has taken so many pieces. */
  void taken(long pieces) {
    taken = Math.max(taken, pieces);
    next();
  }

  private void begin() {
    log.debug("coordination: answering {}: {}", id, question);
    Transaction transaction =
        whileAsked()
            .absent(Keys.answer(id, 0))
            .put(Keys.answer(id, 0), new AnswerRecord.Begun().json(), membership.lease())
            .build();
    work.begin("beginning an answer", () -> registry.commit(transaction), this::begun);
  }

  private void begun(Outcome outcome) {
    if (over) {
      clear();
    } else if (outcome instanceof Outcome.Refused(long _, Transaction.Condition why)
        && why instanceof Transaction.Condition.Absent) {
      log.info("coordination: an earlier fleetd left an answer incomplete; its reader is told");
      over = true;
      work.begin("clearing up after an answer", this::clearAll, _ -> {});
    } else if (outcome instanceof Outcome.Committed) {
      beside("answering", () -> answerer.answer(question), this::answering);
    }
  }

  private void answering(Answer begun) {
    answer = begun;
    if (over) {
      end(begun);
    } else {
      next();
    }
  }

  private Transaction.Builder whileAsked() {
    return Transaction.when()
        .createdAt(machineKey, membership.created())
        .createdAt(asked.key(), asked.created());
  }

  private void next() {
    Answer source = answer;
    if (source == null || working || over || written - 1 - taken >= MOST_OUTSTANDING) {
      return;
    }
    working = true;
    beside("answer", () -> read(source), this::write);
  }

  private static AnswerRecord read(Answer source) throws IOException, InterruptedException {
    byte[] buffer = new byte[AnswerRecord.MAX_DATA];
    int length = source.body().read(buffer);
    return length < 0
        ? new AnswerRecord.Ended(source.exitStatus(), "")
        : new AnswerRecord.Data(Arrays.copyOf(buffer, length));
  }

  private void write(AnswerRecord piece) {
    if (over) {
      return;
    }
    Transaction transaction =
        whileAsked().put(Keys.answer(id, written), piece.json(), membership.lease()).build();
    work.begin(
        "answering a question",
        () -> registry.commit(transaction),
        outcome -> written(piece, outcome));
  }

  private void written(AnswerRecord piece, Outcome outcome) {
    written++;
    working = false;
    if (over) {
      clear();
    } else if (outcome instanceof Outcome.Refused) {
      close();
    } else if (piece instanceof AnswerRecord.Ended) {
      stop();
    } else {
      next();
    }
  }

  /** Does what waits for this machine, not for the store; a fault of it ends the answer. */
  private <T> void beside(String what, Callable<T> waiting, Consumer<T> then) {
    loop.beside(
        "coordination " + what,
        () -> {
          try {
            T result = waiting.call();
            loop.post(() -> then.accept(result));
          } catch (Exception e) {
            loop.post(() -> write(new AnswerRecord.Ended(CANNOT_RUN, reason(e))));
          }
        });
  }

  private static String reason(Exception fault) {
    return Optional.ofNullable(fault.getMessage()).orElse(fault.toString());
  }

  private void stop() {
    Answer ending = answer;
    answer = null;
    if (ending != null) {
      end(ending);
    }
  }

  private void end(Answer ending) {
    loop.beside("end of an answer", ending::close);
  }

  /** The reader has gone, or this machine's lease has: ends the work and clears up. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      stop();
      clear();
    }
  }

  /** Deletes what the reader has not. A piece on its way is deleted when it has been written. */
  private void clear() {
    Transaction.Builder transaction =
        Transaction.when().createdAt(machineKey, membership.created()).delete(Keys.answer(id, 0));
    for (long piece = taken + 1; piece < written; piece++) {
      transaction.delete(Keys.answer(id, piece));
    }
    work.begin("clearing up after an answer", () -> registry.commit(transaction.build()), _ -> {});
  }

  /** Deletes what an earlier process wrote, which tells the reader. */
  private Outcome clearAll() {
    Transaction.Builder transaction =
        Transaction.when().createdAt(machineKey, membership.created());
    for (Entry piece : registry.read(Keys.answers(id)).entries()) {
      transaction.delete(piece.key());
    }
    return registry.commit(transaction.build());
  }
}

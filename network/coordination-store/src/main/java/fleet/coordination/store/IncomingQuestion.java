package fleet.coordination.store;

import fleet.coordination.AnswerSender;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.core.question.Question;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.AnswerRecord;
import fleet.registry.records.Keys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One question that is answered through the store: each piece of the answer is a key there until
 * its reader has taken it. Belongs to its loop; calls of the store run beside it.
 */
final class IncomingQuestion implements AnswerSender.PieceWriter, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(IncomingQuestion.class);

  /** How many pieces may lie in the store that the reader has not taken. */
  static final int MOST_OUTSTANDING = 4;

  private final EventLoop loop;
  private final StoreWork work;
  private final Registry registry;
  private final Answerer answerer;
  private final String machineKey;
  private final MachineLease membership;
  private final Entry asked;
  private final String id;
  private final Question question;

  /** The first piece, the one that begins it, is not for taking. */
  private long written = 1;

  private long taken;
  private boolean writing;
  private boolean over;
  private @Nullable AnswerSender sender;

  /** Begins to answer. */
  IncomingQuestion(
      EventLoop loop,
      StoreWork work,
      Registry registry,
      Answerer answerer,
      String machine,
      MachineLease membership,
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
    if (sender != null) {
      sender.taken(taken);
    }
  }

  private void begin() {
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
      sender =
          new AnswerSender(loop, question, answerer, AnswerRecord.MAX_DATA, MOST_OUTSTANDING, this);
    }
  }

  private Transaction.Builder whileAsked() {
    return Transaction.when()
        .createdAt(machineKey, membership.created())
        .createdAt(asked.key(), asked.created());
  }

  @Override
  public boolean isReady() {
    return !writing;
  }

  @Override
  public void send(byte[] piece) {
    write(new AnswerRecord.Data(piece));
  }

  @Override
  public void end(int exitStatus, String problem) {
    write(new AnswerRecord.Ended(exitStatus, problem));
  }

  private void write(AnswerRecord piece) {
    writing = true;
    Transaction transaction =
        whileAsked().put(Keys.answer(id, written), piece.json(), membership.lease()).build();
    work.begin("answering a question", () -> registry.commit(transaction), this::written);
  }

  private void written(Outcome outcome) {
    written++;
    writing = false;
    if (over) {
      clear();
    } else if (outcome instanceof Outcome.Refused) {
      close();
    } else if (sender != null) {
      sender.next();
    }
  }

  /** The reader or this machine's lease has gone: ends the work and clears up. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      if (sender != null) {
        sender.close();
      }
      clear();
    }
  }

  /**
   * Deletes the pieces that the reader has not deleted. A piece on its way is deleted when it has
   * been written.
   */
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

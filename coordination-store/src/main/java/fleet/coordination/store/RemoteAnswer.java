package fleet.coordination.store;

import fleet.coordination.PieceInput;
import fleet.core.question.Answer;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Watcher;
import fleet.registry.records.AnswerRecord;
import fleet.registry.records.Keys;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A machine's answer, put together from its pieces in the store. Reading it waits for them; closing
 * it ends the wait. Safe for use by many threads, its body by one at a time.
 */
final class RemoteAnswer implements Answer, Watcher {

  /** Taking is told for so many pieces at once, so that the machine never waits for it. */
  private static final int TOLD_AT_ONCE = 2;

  private final String machine;
  private final String id;
  private final LongConsumer taken;
  private final Runnable onClose;
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private final Map<String, Entry> early = new HashMap<>();
  private final InputStream body = new PieceInput(this::next, this::close);
  private long expected;
  private long handedOut;
  private AnswerRecord.@Nullable Ended ended;
  private @Nullable String fault;
  private boolean closed;

  /**
   * @param taken tells the machine how many pieces have been taken; may wait
   * @param onClose lets go what the answer holds; run once
   */
  RemoteAnswer(String machine, String id, LongConsumer taken, Runnable onClose) {
    this.machine = machine;
    this.id = id;
    this.taken = taken;
    this.onClose = onClose;
  }

  @Override
  public synchronized void changed(Delta delta) {
    for (Change change : delta.changes()) {
      switch (change) {
        case Change.Written written -> arrived(written.entry());
        case Change.Deleted deleted -> {
          if (deleted.key().equals(Keys.answer(id, 0))) {
            failBeforeTheEnd(
                "machine %s or its fleetd went away before its answer was complete"
                    .formatted(machine));
          }
        }
      }
    }
  }

  /**
   * Pieces come in order but where the watch had to list again. One that was taken already is
   * written again where the machine did not learn that it had been.
   */
  private void arrived(Entry piece) {
    early.put(piece.key(), piece);
    Entry next = early.remove(Keys.answer(id, expected));
    while (next != null) {
      expected++;
      take(AnswerRecord.of(next));
      next = early.remove(Keys.answer(id, expected));
    }
  }

  private void take(AnswerRecord piece) {
    switch (piece) {
      case AnswerRecord.Begun _ -> {}
      case AnswerRecord.Data data -> pieces.add(data.bytes());
      case AnswerRecord.Ended end -> ended = end;
    }
    notifyAll();
  }

  @Override
  public void failed(RegistryException why) {
    failBeforeTheEnd(why.getMessage());
  }

  synchronized void failBeforeTheEnd(String why) {
    if (ended == null && fault == null) {
      fault = why;
      notifyAll();
    }
  }

  /** Fails where the machine has not even begun to answer. */
  synchronized void failWhereSilent(String why) {
    if (expected == 0) {
      failBeforeTheEnd(why);
    }
  }

  @Override
  public InputStream body() {
    return body;
  }

  /**
   * Waits for the end; the body must have been read by then.
   *
   * @throws UncheckedIOException where the answer is incomplete
   */
  @Override
  public synchronized int exitStatus() throws InterruptedException {
    while (ended == null) {
      if (fault != null || closed) {
        throw new UncheckedIOException(
            new IOException(fault == null ? "the answer has been closed" : fault));
      }
      wait();
    }
    return ended.exitStatus();
  }

  /** The next piece; empty at the end. */
  private byte[] next() throws IOException {
    byte[] piece = awaitPiece();
    if (piece.length > 0) {
      handedOut++;
      if (handedOut % TOLD_AT_ONCE == 0) {
        tellTaken();
      }
    }
    return piece;
  }

  private void tellTaken() throws IOException {
    try {
      taken.accept(handedOut);
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private synchronized byte[] awaitPiece() throws IOException {
    while (pieces.isEmpty()) {
      if (closed) {
        throw new IOException("the answer has been closed");
      }
      if (ended != null) {
        if (!ended.problem().isEmpty()) {
          throw new IOException("machine %s: %s".formatted(machine, ended.problem()));
        }
        return new byte[0];
      }
      if (fault != null) {
        throw new IOException(fault);
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while machine " + machine + " answers");
      }
    }
    return pieces.remove();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
    }
    onClose.run();
  }
}

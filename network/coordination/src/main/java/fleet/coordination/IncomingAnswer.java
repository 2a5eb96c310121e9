package fleet.coordination;

import fleet.core.question.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a machine, at the asking side, as its pieces arrive. Reading it waits for them;
 * closing it ends the wait. Safe for use by many threads, its body by one at a time.
 */
public final class IncomingAnswer implements Answer {

  /** Tells the machine how many pieces were taken in total; may wait. */
  @FunctionalInterface
  public interface Receipt {
    void taken(long count) throws IOException;
  }

  /** Acknowledges this many pieces at once, so that the machine never waits. */
  private static final int TOLD_AT_ONCE = 2;

  /** More than any version of an agent sends ahead. */
  private static final int MOST_WAITING = 64;

  private final String machine;
  private final Receipt receipt;
  private final Runnable onClose;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private final InputStream body = new PieceInput(this::next, this::close);
  private long handedOut;
  private @Nullable Ended ended;
  private @Nullable String fault;
  private boolean closed;

  private record Ended(int exitStatus, String problem) {}

  /**
   * @param onClose lets go of what the answer holds; run once
   */
  public IncomingAnswer(String machine, Receipt receipt, Runnable onClose) {
    this.machine = machine;
    this.receipt = receipt;
    this.onClose = onClose;
  }

  /** Pieces beyond what a machine may send ahead of its reader end the answer. */
  public void arrived(byte[] piece) {
    change(() -> {
      if (pieces.size() < MOST_WAITING) {
        pieces.add(piece);
      } else {
        fault = "machine %s sends faster than it may".formatted(machine);
      }
    });
  }

  public void ended(int exitStatus, String problem) {
    change(() -> ended = new Ended(exitStatus, problem));
  }

  /** No more will come. */
  public void failBeforeTheEnd(String why) {
    change(() -> {
      if (ended == null && fault == null) {
        fault = why;
      }
    });
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public InputStream body() {
    return body;
  }

  /**
   * Waits for the end; the body must have been read by then.
   *
   * @throws UncheckedIOException if the answer is incomplete
   */
  @Override
  public int exitStatus() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        if (ended != null) {
          return ended.exitStatus();
        }
        if (fault != null || closed) {
          throw new UncheckedIOException(
              new IOException(fault == null ? "the answer has been closed" : fault));
        }
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The next piece; empty at the end. */
  private byte[] next() throws IOException {
    byte[] piece = awaitPiece();
    if (piece.length > 0 && ++handedOut % TOLD_AT_ONCE == 0) {
      receipt.taken(handedOut);
    }
    return piece;
  }

  private byte[] awaitPiece() throws IOException {
    lock.lock();
    try {
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
        changed.await();
      }
      return pieces.remove();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while machine " + machine + " answers");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    onClose.run();
  }
}

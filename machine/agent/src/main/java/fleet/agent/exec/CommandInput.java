package fleet.agent.exec;

import fleet.core.question.Question;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The input of a command, on its way there. Bounded: the sender sends again what did not fit. Safe
 * for use by many threads.
 */
final class CommandInput {

  /** In bytes. */
  static final int MOST = 64 << 10;

  private static final byte[] END = {};

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private int waiting;
  private long taken;
  private boolean begun;
  private boolean ended;
  private boolean broken;

  /**
   * Takes as much as there is room for, and waits for some room.
   *
   * @return how many bytes were taken in total
   * @throws IOException if bytes between these and the ones before are missing
   */
  long take(Question.ExecInput input, long atMostMillis) throws IOException, InterruptedException {
    lock.lock();
    try {
      if (input.offset() > taken) {
        throw new IOException(
            "input from byte %d on does not follow: %d came".formatted(input.offset(), taken));
      }
      int known = (int) Math.min(taken - input.offset(), input.data().length);
      if (known < input.data().length) {
        awaitRoom(atMostMillis);
        add(input.data(), known);
      }
      if (input.last() && taken == input.offset() + input.data().length && !ended) {
        ended = true;
        pieces.add(END);
      }
      changed.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom(long atMostMillis) throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(atMostMillis);
    while (waiting >= MOST && !broken && left > 0) {
      left = changed.awaitNanos(left);
    }
  }

  /** Once a command has closed its input, the rest is dropped. */
  private void add(byte[] data, int from) {
    int count = broken ? data.length - from : Math.min(MOST - waiting, data.length - from);
    taken += count;
    if (!broken && !ended && count > 0) {
      pieces.add(Arrays.copyOfRange(data, from, from + count));
      waiting += count;
    }
  }

  /** The command runs, and what it is given from now on reaches it. */
  void begin() {
    lock.lock();
    try {
      begun = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the command runs, writes all input until it ends or the command reads no more, and
   * closes the stream.
   */
  void copyTo(OutputStream out) {
    try (out) {
      for (byte[] piece = next(); piece.length > 0; piece = next()) {
        out.write(piece);
        out.flush();
        written(piece.length);
      }
    } catch (IOException readsNoMore) {
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private byte[] next() throws InterruptedException {
    lock.lock();
    try {
      while (!broken && (!begun || pieces.isEmpty())) {
        changed.await();
      }
      return broken ? END : pieces.remove();
    } finally {
      lock.unlock();
    }
  }

  private void written(int count) {
    lock.lock();
    try {
      waiting -= count;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Nobody reads the input any more. */
  void close() {
    lock.lock();
    try {
      broken = true;
      pieces.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

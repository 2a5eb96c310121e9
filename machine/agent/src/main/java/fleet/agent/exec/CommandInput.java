package fleet.agent.exec;

import fleet.core.question.Question;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The input of a command, on its way there. Bounded: the sender sends again what did not fit. Safe
 * for use by many threads.
 */
final class CommandInput {

  /** In bytes. */
  static final int MOST = 64 << 10;

  private static final byte[] END = {};

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
  synchronized long take(Question.ExecInput input, long atMostMillis)
      throws IOException, InterruptedException {
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
    notifyAll();
    return taken;
  }

  private void awaitRoom(long atMostMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
    long left = atMostMillis;
    while (waiting >= MOST && !broken && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
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
  synchronized void begin() {
    begun = true;
    notifyAll();
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

  private synchronized byte[] next() throws InterruptedException {
    while (!broken && (!begun || pieces.isEmpty())) {
      wait();
    }
    return broken ? END : pieces.remove();
  }

  private synchronized void written(int count) {
    waiting -= count;
    notifyAll();
  }

  /** Nobody reads the input any more. */
  synchronized void close() {
    broken = true;
    pieces.clear();
    notifyAll();
  }
}

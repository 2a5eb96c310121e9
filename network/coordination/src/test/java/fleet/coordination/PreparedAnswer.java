package fleet.coordination;

import fleet.core.question.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** An answer that a test writes bit by bit; as with the output of a command, little is buffered. */
public final class PreparedAnswer implements Answer {

  private static final int BUFFER = 64 << 10;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Body body = new Body();
  private final byte[] buffer = new byte[BUFFER];
  private int buffered;
  private boolean ended;
  private int exitStatus;

  /** Waits when nobody reads. */
  public synchronized void write(byte[] bytes) throws IOException {
    for (byte one : bytes) {
      await(() -> buffered < BUFFER || ended);
      if (ended) {
        throw new IOException("broken pipe");
      }
      buffer[buffered++] = one;
      if (buffered == BUFFER) {
        notifyAll();
      }
    }
    notifyAll();
  }

  public synchronized void end(int status) {
    exitStatus = status;
    ended = true;
    notifyAll();
  }

  private synchronized void await(BooleanSupplier condition) throws InterruptedIOException {
    try {
      while (!condition.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public synchronized int exitStatus() throws InterruptedException {
    while (!ended) {
      wait();
    }
    return exitStatus;
  }

  /** As the end of a command does, this ends its output. */
  @Override
  public synchronized void close() {
    ended = true;
    notifyAll();
    closed.countDown();
  }

  private synchronized int take(byte[] target, int offset, int length) throws IOException {
    await(() -> buffered > 0 || ended);
    if (buffered == 0) {
      return -1;
    }
    int count = Math.min(length, buffered);
    System.arraycopy(buffer, 0, target, offset, count);
    System.arraycopy(buffer, count, buffer, 0, buffered - count);
    buffered -= count;
    notifyAll();
    return count;
  }

  private final class Body extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return take(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return take(target, offset, length);
    }
  }
}

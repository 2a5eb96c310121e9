package fleet.cluster.rpc;

import fleet.core.question.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** An answer that a test has made, and that says how much of it was read. */
final class PlayedAnswer implements Answer {

  final CountDownLatch closed = new CountDownLatch(1);
  final AtomicLong read = new AtomicLong();
  private final InputStream body;
  private final int exitStatus;

  private PlayedAnswer(InputStream body, int exitStatus) {
    this.body = body;
    this.exitStatus = exitStatus;
  }

  static PlayedAnswer of(String text, int exitStatus) {
    return new PlayedAnswer(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), exitStatus);
  }

  /** Has more and more to say. */
  static PlayedAnswer endless() {
    return new PlayedAnswer(
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            Arrays.fill(into, offset, offset + length, (byte) 'x');
            return length;
          }
        },
        0);
  }

  @Override
  public InputStream body() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        read.incrementAndGet();
        return body.read();
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int count = body.read(into, offset, length);
        read.addAndGet(Math.max(0, count));
        return count;
      }
    };
  }

  @Override
  public int exitStatus() {
    return exitStatus;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

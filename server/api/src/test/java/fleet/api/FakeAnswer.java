package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.question.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** An answer that a test gives piece by piece. */
final class FakeAnswer implements Answer {

  private final PipedOutputStream out = new PipedOutputStream();
  private final PipedInputStream in;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final int exitStatus;

  FakeAnswer(int exitStatus) {
    this.exitStatus = exitStatus;
    try {
      this.in = new PipedInputStream(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static FakeAnswer whole(String text, int exitStatus) {
    FakeAnswer answer = new FakeAnswer(exitStatus);
    answer.say(text);
    answer.end();
    return answer;
  }

  void say(String text) {
    try {
      out.write(text.getBytes(UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void end() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitClose() throws InterruptedException {
    closed.await();
  }

  @Override
  public InputStream body() {
    return in;
  }

  @Override
  public int exitStatus() {
    return exitStatus;
  }

  @Override
  public void close() {
    end();
    closed.countDown();
  }
}

package fleet.agent.answer;

import fleet.agent.usage.UsageMeter;
import fleet.coordination.PieceInput;
import fleet.core.question.Answer;
import fleet.core.question.Question.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Measures when the reader wants the next line, and not before the interval has passed. */
final class UsageAnswer implements Answer {

  private final UsageMeter meter;
  private final Usage question;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final InputStream body = new PieceInput(this::measure, this::close);
  private int taken;

  UsageAnswer(UsageMeter meter, Usage question) {
    this.meter = meter;
    this.question = question;
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public int exitStatus() {
    return 0;
  }

  @Override
  public void close() {
    closed.countDown();
  }

  private byte[] measure() throws IOException {
    if (taken >= question.samples()) {
      return new byte[0];
    }
    if (taken > 0) {
      awaitInterval();
    }
    if (closed.getCount() == 0) {
      throw new IOException("the answer has been closed");
    }
    taken++;
    return meter.measure(question.units());
  }

  private void awaitInterval() throws IOException {
    try {
      boolean _ = closed.await(question.interval().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted between two measurements");
    }
  }
}

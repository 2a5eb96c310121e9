package fleet.agent.answer;

import fleet.agent.usage.UsageMeter;
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
  private final Body body = new Body();

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

  private final class Body extends InputStream {
    private byte[] line = new byte[0];
    private int position;
    private int taken;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (position == line.length && !measure()) {
        return -1;
      }
      int count = Math.min(length, line.length - position);
      System.arraycopy(line, position, target, offset, count);
      position += count;
      return count;
    }

    private boolean measure() throws IOException {
      if (taken >= question.samples()) {
        return false;
      }
      if (taken > 0) {
        awaitInterval();
      }
      if (closed.getCount() == 0) {
        throw new IOException("the answer has been closed");
      }
      line = meter.measure(question.units());
      position = 0;
      taken++;
      return true;
    }

    private void awaitInterval() throws IOException {
      try {
        boolean _ = closed.await(question.interval().toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted between two measurements");
      }
    }

    @Override
    public void close() {
      UsageAnswer.this.close();
    }
  }
}

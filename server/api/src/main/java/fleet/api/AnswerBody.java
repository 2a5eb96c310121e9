package fleet.api;

import fleet.cluster.request.ApiAnswer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Continues an answer that has begun. */
final class AnswerBody extends OutputStream {

  private final ApiAnswer answer;

  AnswerBody(ApiAnswer answer) {
    this.answer = answer;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    byte[] part = offset == 0 ? bytes : Arrays.copyOfRange(bytes, offset, offset + length);
    answer.write(part, length);
  }
}

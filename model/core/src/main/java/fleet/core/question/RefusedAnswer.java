package fleet.core.question;

import java.io.IOException;
import java.io.InputStream;

/**
 * An answer that fails before its first byte.
 *
 * @param why for people
 */
public record RefusedAnswer(String why) implements Answer {

  @Override
  public InputStream body() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException(why);
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        throw new IOException(why);
      }
    };
  }

  @Override
  public int exitStatus() {
    return 1;
  }

  @Override
  public void close() {}
}

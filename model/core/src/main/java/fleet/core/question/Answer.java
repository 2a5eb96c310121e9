package fleet.core.question;

import java.io.InputStream;

/** A machine's answer to a {@link Question}. Closing it early ends the work behind it. */
public interface Answer extends AutoCloseable {

  /** The answer's bytes as they come; ends when the answer does. */
  InputStream body();

  /** The exit status of the command behind the answer; waits for its end. */
  int exitStatus() throws InterruptedException;

  @Override
  void close();
}

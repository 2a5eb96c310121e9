package fleet.fleetctl.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Asks a person before something that cannot be taken back. */
final class Confirmation {

  /** More than any answer has. */
  private static final int LONGEST = 100;

  private Confirmation() {}

  /**
   * Waits for a line.
   *
   * @param keyboard what the person types
   * @param question with what to type
   * @return whether it is what was expected
   */
  static boolean isGiven(
      CommandEnvironment session, InputStream keyboard, String question, String expected)
      throws CommandException {
    session.output().question(question);
    try {
      return line(keyboard).strip().equals(expected);
    } catch (IOException e) {
      throw CommandException.failed("Error: cannot read the answer: " + e.getMessage());
    }
  }

  /** Reads no further than the end of the line. */
  private static String line(InputStream keyboard) throws IOException {
    byte[] line = new byte[LONGEST];
    int length = 0;
    for (int c = keyboard.read(); c >= 0 && c != '\n' && length < LONGEST; c = keyboard.read()) {
      line[length++] = (byte) c;
    }
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }
}

package fleet.fleetctl.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Asks a person before something that cannot be taken back. */
final class Confirmation {

  /** More than any answer has. */
  private static final int LONGEST = 100;

  private Confirmation() {}

  /**
   * Goes on only if a person agrees.
   *
   * @param change to be made, as in "this would destroy 2 units"
   * @param details lines above the question
   * @param question with what to type
   * @param refusal the message after another answer
   */
  static void expect(
      CommandEnvironment session,
      String change,
      List<String> details,
      String question,
      String expected,
      String refusal)
      throws CommandException {
    InputStream keyboard =
        session
            .keyboard()
            .orElseThrow(() ->
                CommandException.failed(
                    "Error: this would %s: add --yes if that is meant".formatted(change)));
    details.forEach(session.output()::problem);
    if (!isGiven(session, keyboard, question, expected)) {
      throw CommandException.failed(refusal);
    }
  }

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

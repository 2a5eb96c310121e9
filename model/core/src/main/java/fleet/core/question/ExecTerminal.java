package fleet.core.question;

import java.util.regex.Pattern;

/**
 * The terminal that a command runs on.
 *
 * @param type as {@code TERM} has it
 */
public record ExecTerminal(String type, TerminalWindow window) {

  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9+._-]{0,63}");

  /**
   * @throws IllegalArgumentException for people, if it is no name of a terminal
   */
  public ExecTerminal {
    if (!TYPE.matcher(type).matches()) {
      throw new IllegalArgumentException(
          "invalid terminal \"%s\": expected a name as TERM has it, such as xterm".formatted(type));
    }
  }
}

package fleet.core.question;

import fleet.core.state.SignalNames;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A signal, and the processes of a unit that get it.
 *
 * @param signal its name without SIG, or its number
 * @param whom as {@code systemctl kill --kill-whom} takes it
 */
public record KillSignal(String signal, String whom) {

  /** The groups of processes. */
  public static final List<String> WHOM = List.of("all", "main", "control");

  private static final String PREFIX = "SIG";
  private static final Pattern REAL_TIME = Pattern.compile("RTM(IN(\\+\\d{1,2})?|AX(-\\d{1,2})?)");
  private static final Pattern NUMBER = Pattern.compile("[1-9]|[1-5]\\d|6[0-4]");

  /**
   * Takes the name with SIG or without.
   *
   * @throws IllegalArgumentException for people, if there is no such signal or group
   */
  public KillSignal {
    String name = signal.startsWith(PREFIX) ? signal.substring(PREFIX.length()) : signal;
    if (!SignalNames.ALL.contains(name)
        && !REAL_TIME.matcher(name).matches()
        && !NUMBER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "invalid signal \"%s\": expected a name such as HUP, or a number".formatted(signal));
    }
    if (!WHOM.contains(whom)) {
      throw new IllegalArgumentException(
          "invalid whom \"%s\": expected %s".formatted(whom, String.join(", ", WHOM)));
    }
    signal = name;
  }

  /** The signal as people know it: SIGHUP, or signal 1. */
  @Override
  public String toString() {
    return NUMBER.matcher(signal).matches() ? "signal " + signal : PREFIX + signal;
  }
}

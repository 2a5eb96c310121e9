package fleet.core.state;

import fleet.core.text.SingleLine;
import java.time.Instant;

/**
 * The state of one unit in systemd's own words.
 *
 * @param load such as {@code loaded}, {@code not-found}, {@code bad-setting}
 * @param active such as {@code active}, {@code activating}, {@code failed}
 * @param sub such as {@code running}, {@code exited}, {@code dead}
 * @param result such as {@code success}, {@code exit-code}; empty if the type has none
 * @param invocation the invocation id in 32 hex digits; empty if it never ran
 * @param restarts automatic restarts by systemd since the last start
 * @param since when the active state was entered; {@link Instant#EPOCH} if never
 * @param exitCode of the main process of a service that failed; 0 if it did not exit by itself, or
 *     an older agent reports
 * @param exitSignal the number of the signal that ended the main process of a service that failed;
 *     0 for none
 */
public record SystemdState(
    String load,
    String active,
    String sub,
    String result,
    String invocation,
    long restarts,
    Instant since,
    int exitCode,
    int exitSignal) {

  /** Longer than any word of systemd. */
  private static final int LONGEST = 100;

  /** A state without the end of a process. */
  public SystemdState(
      String load,
      String active,
      String sub,
      String result,
      String invocation,
      long restarts,
      Instant since) {
    this(load, active, sub, result, invocation, restarts, since, 0, 0);
  }

  /** Machines say this of themselves: no word of theirs is more than a word. */
  public SystemdState {
    load = SingleLine.of(load, LONGEST);
    active = SingleLine.of(active, LONGEST);
    sub = SingleLine.of(sub, LONGEST);
    result = SingleLine.of(result, LONGEST);
    invocation = SingleLine.of(invocation, LONGEST);
  }

  /** A unit whose file is known and that has not run. */
  public static final SystemdState DEAD =
      new SystemdState("loaded", "inactive", "dead", "", "", 0, Instant.EPOCH);

  public boolean isActive() {
    return active.equals("active") || active.equals("reloading");
  }

  public boolean isFailed() {
    return active.equals("failed");
  }

  /** Whether systemd has work under way that will end in another state. */
  public boolean isChanging() {
    return active.equals("activating") || active.equals("deactivating");
  }
}

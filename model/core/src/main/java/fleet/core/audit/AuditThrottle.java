package fleet.core.audit;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides which entries are written singly. Successful commands always are, so that no sender can
 * silence the log. Refusals and failures are limited for each sender and in total, those of
 * strangers apart from those of admitted people. The first read of a target by a reader within a
 * minute is written. Not safe for use by threads.
 */
public final class AuditThrottle {

  /** A flood is reported so long after it has begun. */
  public static final Duration WINDOW = Duration.ofMinutes(1);

  private static final int REFUSALS_OF_ONE = 10;
  private static final int REFUSALS = 30;
  private static final int READINGS = 10_000;

  /** Requests of machines that are not admitted yet, so of anybody who reaches the port. */
  public static final String JOIN = "machine.join";

  /** Requests of people who are not logged in yet, so of anybody who reaches the port. */
  public static final String LOGIN = "person.login";

  /** How the actions of requests begin that somebody without a certificate makes. */
  public static final String STRANGER = "stranger.";

  /** Asked for by machines as often as they like, and never refused. */
  public static final String RENEW = "certificate.renew";

  /** How the actions of calls begin that somebody may not make, be it without a certificate. */
  public static final String CALL = "rpc.";

  /** How the actions of requests end that change nothing. */
  public static final String READ = ".read";

  private final FloodLimit refusals;
  private final FloodLimit repetitions;

  /**
   * Nothing is written down yet.
   *
   * @param window how long after a flood has begun it is told of
   */
  public AuditThrottle(Duration window) {
    this.refusals = new FloodLimit(REFUSALS_OF_ONE, REFUSALS, window);
    this.repetitions = new FloodLimit(1, READINGS, window);
  }

  /** Whether to write an entry down; else it is counted. Times as {@link FloodLimit} has them. */
  public boolean admits(AuditEntry entry, long nanos) {
    String sender = entry.subject() + '\0' + entry.machine();
    if (entry.result() != AuditEntry.Result.DONE) {
      return refusals.admits(kind(entry.action()) + " " + entry.result().text(), sender, nanos);
    }
    if (entry.action().endsWith(READ) || entry.action().equals(RENEW)) {
      return repetitions.admits(entry.action(), sender + '\0' + entry.target(), nanos);
    }
    return true;
  }

  private static String kind(String action) {
    if (action.equals(JOIN) || action.equals(LOGIN)) {
      return action;
    }
    if (action.startsWith(STRANGER)) {
      return STRANGER;
    }
    return action.startsWith(CALL) ? "call" : "request";
  }

  /** Counts of the entries left out, due to be written now. */
  public List<AuditEntry> ended(long nanos) {
    return Stream.concat(refusals.ended(nanos).stream(), repetitions.ended(nanos).stream())
        .map(AuditEntry::leftOut)
        .toList();
  }

  /** Whether {@link #ended} will have something to say. */
  public boolean isHoldingBack() {
    return refusals.isHoldingBack() || repetitions.isHoldingBack();
  }
}

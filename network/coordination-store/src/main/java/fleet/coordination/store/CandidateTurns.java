package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership.Candidate;
import fleet.coordination.Leadership.Term;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a candidate when it leads and when no longer: one call at a time, beside the loop, since
 * both may take long. Belongs to its loop: made and called there.
 */
final class CandidateTurns {

  private static final Logger log = LoggerFactory.getLogger(CandidateTurns.class);

  private enum Position {
    IDLE,
    TAKING_OVER,
    LEADING,
    RETIRING
  }

  /** Gets the result of each lead, on the loop. */
  interface Listener {
    void leads();

    void cannotLead(String why);
  }

  private final EventLoop loop;
  private final Candidate candidate;
  private final Listener listener;
  private Position position = Position.IDLE;
  private Optional<String> over = Optional.empty();

  CandidateTurns(EventLoop loop, Candidate candidate, Listener listener) {
    this.loop = loop;
    this.candidate = candidate;
    this.listener = listener;
  }

  /** Whether the candidate is idle, with no call to it under way. */
  boolean idle() {
    return position == Position.IDLE;
  }

  /** Gives an idle candidate the lead. */
  void lead(Term term) {
    position = Position.TAKING_OVER;
    over = Optional.empty();
    loop.beside("engine takes the lead", () -> callLead(term));
  }

  private void callLead(Term term) {
    try {
      candidate.lead(term);
      loop.post(this::leads);
    } catch (RuntimeException | Error e) {
      log.debug("leadership: the engine cannot lead", e);
      loop.post(() -> cannotLead(String.valueOf(e.getMessage())));
    }
  }

  private void leads() {
    position = Position.LEADING;
    listener.leads();
    over.ifPresent(this::retire);
  }

  private void cannotLead(String why) {
    position = Position.IDLE;
    listener.cannotLead(why);
  }

  /** Ends the candidate's lead, if it has one, and if it is just beginning, once it has begun. */
  void retire(String why) {
    switch (position) {
      case TAKING_OVER -> over = Optional.of(why);
      case LEADING -> {
        position = Position.RETIRING;
        loop.beside("engine retires", () -> callRetire(why));
      }
      case IDLE, RETIRING -> {}
    }
  }

  private void callRetire(String why) {
    try {
      candidate.retire(why);
    } catch (RuntimeException | Error e) {
      log.error("leadership: the engine failed to retire; its writes are refused: {}", e, e);
    } finally {
      loop.post(() -> position = Position.IDLE);
    }
  }
}

package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership.Candidate;
import fleet.coordination.Leadership.Term;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a candidate when it leads and when no longer: one call at a time, beside the loop, since
 * both may take long. Belongs to its loop: made and called there.
 */
final class TermNotifier {

  private static final Logger log = LoggerFactory.getLogger(TermNotifier.class);

  private enum Position {
    IDLE,
    TAKING_OVER,
    LEADING,
    RETIRING
  }

  private final EventLoop loop;
  private final Candidate candidate;
  private final Runnable leads;
  private final Consumer<String> cannotLead;
  private Position position = Position.IDLE;
  private Optional<String> over = Optional.empty();

  /**
   * An idle one.
   *
   * @param leads run on the loop once the candidate has taken the lead
   * @param cannotLead told on the loop why it could not
   */
  TermNotifier(EventLoop loop, Candidate candidate, Runnable leads, Consumer<String> cannotLead) {
    this.loop = loop;
    this.candidate = candidate;
    this.leads = leads;
    this.cannotLead = cannotLead;
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
    leads.run();
    over.ifPresent(this::retire);
  }

  private void cannotLead(String why) {
    position = Position.IDLE;
    cannotLead.accept(why);
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

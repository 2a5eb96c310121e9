package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The leading engine's side of the coordination. */
public interface EngineCoordination extends AutoCloseable {

  /** This engine leads: the listener gets machines and their reports from now on. */
  void lead(Leadership.Term term, Listener listener);

  /** This engine no longer leads: the listener gets nothing from now on. */
  void retire();

  /**
   * Sends a machine its whole schedule; does nothing if machines read it in the store.
   *
   * @param leftAlone the units whose entries for the machine exist and cannot be read: it neither
   *     starts nor stops nor removes them
   */
  default void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {}

  /**
   * Sends a machine the changes of its schedule, after they are in the registry.
   *
   * @param leftAlone all that are to be left alone from now on
   */
  default void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {}

  /**
   * Two machines with one id are present, over two transports: the later one is told so, and has to
   * go, or to wait until the other is silent.
   *
   * @param there the one that stays
   */
  default void occupied(Machine refused, Machine there) {}

  /** The machine for which others with its id were refused is gone. */
  default void vacant(String machine) {}

  /**
   * Offers a unit to a machine, which {@linkplain Listener#bid bids} until the offer is withdrawn;
   * replaces what was offered to it of this unit before. A machine that comes again has forgotten
   * its offers.
   */
  default void offer(String machine, Offer offer) {}

  /** A unit is not offered to a machine any more. */
  default void withdraw(String machine, UnitName unit) {}

  /** Puts a question to a machine; empty if it is not there. */
  Optional<Answer> ask(String machine, Question question);

  /** The present machines that are not servers, by their certificates. */
  default Set<String> agents() {
    return Set.of();
  }

  /** Ends questions that are under way. */
  @Override
  void close();

  /** Receives presence and reports of machines. Must not block. */
  interface Listener {

    /** A machine came, or changed its description. It waits for its schedule. */
    void present(Machine machine);

    void reported(String machine, List<AgentReport> reports);

    /** A machine answers an offer, or changes its answer. */
    default void bid(String machine, Bid bid) {}

    /** Another fleetd of a machine took the place of one that was still there. */
    default void takenOver(String machine, String how) {}

    /** A machine went silently: it has said nothing for too long. */
    void absent(String machine, String why);

    /**
     * Machines that are still present, but silent for longer than normal: they may have failed
     * together with the one that {@link #absent} names next.
     *
     * @param within the time after which each of them has spoken, or is absent as well
     */
    default void doubtful(Set<String> machines, Duration within) {}

    /**
     * Runs something once all earlier events have been processed: senders wait for that, so that
     * nothing piles up.
     */
    default void takenIn(Runnable then) {
      then.run();
    }

    /**
     * A machine said that it leaves for good.
     *
     * @param emptied whether none of its units runs there any more
     */
    default void left(String machine, boolean emptied, String why) {
      absent(machine, why);
    }
  }
}

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

  /** From now on the listener hears of machines and their reports, as this engine leads. */
  void lead(Leadership.Term term, Listener listener);

  /** This engine leads no more: the listener hears nothing from now on. */
  void retire();

  /**
   * Hands a machine its whole schedule; nothing if machines read it in the store themselves.
   *
   * @param leftAlone the units whose entries for the machine exist and cannot be read: it neither
   *     starts nor stops nor removes them
   */
  default void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {}

  /**
   * Hands a machine what changed of its schedule, after the change is in the registry.
   *
   * @param leftAlone all that are to be left alone from now on
   */
  default void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {}

  /**
   * Two machines of one id are there, in two ways of coordination: the one that came later is told
   * so in its way, and has to go, or to wait until the other is silent.
   *
   * @param there who stays, as the later one is to be told
   */
  default void occupied(Machine refused, Machine there) {}

  /** Nobody is there any more for whose sake others of its id were refused. */
  default void vacant(String machine) {}

  /**
   * Offers a unit to a machine, which {@linkplain Listener#bid bids} until the offer is withdrawn;
   * replaces what was offered to it of this unit before. A machine that comes anew has forgotten
   * what was offered to it.
   */
  default void offer(String machine, Offer offer) {}

  /** A unit is not offered to a machine any more. */
  default void withdraw(String machine, UnitName unit) {}

  /** Puts a question to a machine; empty if it is not there. */
  Optional<Answer> ask(String machine, Question question);

  /**
   * The machines that are there and only run units, as their certificates say: nothing of what they
   * say is the cluster's.
   */
  default Set<String> agents() {
    return Set.of();
  }

  /** Ends questions that are under way. */
  @Override
  void close();

  /** Hears of machines. Must not block. */
  interface Listener {

    /** A machine came, or changed its description. It waits for its schedule. */
    void present(Machine machine);

    void reported(String machine, List<AgentReport> reports);

    /** A machine answers an offer, for the first time or otherwise than before. */
    default void bid(String machine, Bid bid) {}

    /** Another fleetd of a machine took the place of one that was still there. */
    default void takenOver(String machine, String how) {}

    /** A machine went without a word: it has been silent for too long. */
    void absent(String machine, String why);

    /**
     * Machines that are still there, and have said nothing for longer than they do when they are
     * well: whatever took the one that {@link #absent} is about to name may have taken them too.
     *
     * @param within when each of them has spoken, or is absent as well
     */
    default void doubtful(Set<String> machines, Duration within) {}

    /**
     * Has something run once all that was told before has been taken in: who tells much waits for
     * that, so that nothing piles up.
     */
    default void takenIn(Runnable then) {
      then.run();
    }

    /**
     * A machine said that it goes for good.
     *
     * @param emptied whether none of its units runs there any more
     */
    default void left(String machine, boolean emptied, String why) {
      absent(machine, why);
    }
  }
}

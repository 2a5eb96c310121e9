package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;

/** The agent's side of the coordination. */
public interface AgentCoordination {

  /**
   * Makes a machine part of the cluster until its session ends. The follower hears the whole
   * schedule first and then its changes, from one thread at a time.
   */
  Session join(Machine machine, ScheduleFollower follower, Answerer answerer);

  /** A machine's membership of the cluster. */
  interface Session extends AutoCloseable {

    /** Hands up what happened; returns at once and loses nothing while the session is open. */
    void report(java.util.List<AgentReport> reports);

    /**
     * Takes over a changed description of the machine, such as new metadata in its configuration.
     */
    void present(Machine machine);

    /**
     * Ends the membership at once: from now on the cluster may run this machine's units elsewhere.
     * Returns when the cluster knows, or cannot be told.
     *
     * @param emptied whether none of its units runs here any more, so that nobody need wait until a
     *     machine that is cut off has stopped them
     */
    void leave(boolean emptied);

    /**
     * Ends the membership in this way at once, as the machine is there in another one: nothing here
     * says that it goes. A leader that does not see it in the other way yet waits for it. Returns
     * when the cluster knows, or cannot be told.
     */
    default void moveOn() {
      leave(false);
    }

    /**
     * Lets go without a word: the machine counts as present until it has been silent for too long,
     * so that the next fleetd of the same boot goes on where this one ended.
     */
    @Override
    void close();
  }
}

package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;

/** The agent's side of the coordination. */
public interface AgentCoordination {

  /**
   * Makes a machine part of the cluster until its session ends. The follower gets the whole
   * schedule first and then its changes, from one thread at a time.
   */
  Session join(Machine machine, ScheduleFollower follower, Answerer answerer);

  /** A machine's membership of the cluster. */
  interface Session extends AutoCloseable {

    /** Sends reports; returns at once and loses nothing while the session is open. */
    void report(java.util.List<AgentReport> reports);

    /**
     * Takes over a changed description of the machine, such as new metadata in its configuration.
     */
    void present(Machine machine);

    /**
     * Ends the membership at once: from now on the cluster may run this machine's units elsewhere.
     * Returns when the cluster knows, or cannot be reached.
     *
     * @param emptied whether none of its units runs here any more, so that the cluster need not
     *     wait until an isolated machine has stopped them
     */
    void leave(boolean emptied);

    /**
     * Ends the membership over this transport at once and silently, since the machine is present
     * over another one. A leader that does not see it there yet waits for it. Returns when the
     * cluster knows, or cannot be reached.
     */
    default void moveOn() {
      leave(false);
    }

    /**
     * Ends the session silently: the machine counts as present until it has been silent for too
     * long, so that the next fleetd of the same boot continues where this one ended.
     */
    @Override
    void close();
  }
}

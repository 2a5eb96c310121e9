package fleet.coordination;

import fleet.core.machine.Machine;

/** The agent's side of the coordination. */
public interface AgentCoordination {

  /**
   * Makes a machine part of the cluster until the session is closed. The follower hears the whole
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

    @Override
    void close();
  }
}

package fleet.coordination.rpc;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.rpc.CandidateAddresses;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The agent's side of the coordination over RPC: one stream to the leader. Safe for use by many
 * threads.
 */
public final class RpcAgentCoordination implements AgentCoordination {

  private final CandidateAddresses addresses;
  private final StreamConnector dialer;
  private final EventLoop.Factory loops;
  private final RandomGenerator chance;
  private final Supplier<String> sessions;
  private final Duration ttl;
  private final Consumer<String> onFatal;
  private final HighestToken tokens = new HighestToken();
  private volatile Observer observer = _ -> {};

  /** Learns whether there is a stream to the leader. */
  @FunctionalInterface
  public interface Observer {
    /**
     * Called by the session's loop after each attempt; must not wait.
     *
     * @param problem why there is no stream to the leader, for people; empty if there is one
     */
    void spoken(Optional<String> problem);

    /**
     * Called in the same way with each answer to a heartbeat.
     *
     * @param authorities tells the cluster's authorities apart from others; 0 if the leader does
     *     not say
     * @param within the time over which machines that know others are to ask for them
     */
    default void trusts(long authorities, Duration within) {}
  }

  /**
   * @param ttl how long the machine may be silent before the cluster runs its units elsewhere
   * @param onFatal told once for each session, on the session's loop, with a message for the
   *     operator, when only a new process can go on: another machine with this one's id is there,
   *     or the leader refuses it
   */
  public RpcAgentCoordination(
      CandidateAddresses addresses,
      StreamConnector dialer,
      EventLoop.Factory loops,
      Duration ttl,
      Consumer<String> onFatal) {
    this(
        addresses,
        dialer,
        loops,
        RandomGenerator.getDefault(),
        () -> UUID.randomUUID().toString(),
        ttl,
        onFatal);
  }

  /**
   * With chance and names from outside.
   *
   * @param chance used by one thread at a time
   * @param sessions makes a name at each call that is unlike any other
   */
  public RpcAgentCoordination(
      CandidateAddresses addresses,
      StreamConnector dialer,
      EventLoop.Factory loops,
      RandomGenerator chance,
      Supplier<String> sessions,
      Duration ttl,
      Consumer<String> onFatal) {
    this.addresses = addresses;
    this.dialer = dialer;
    this.loops = loops;
    this.chance = chance;
    this.sessions = sessions;
    this.ttl = ttl;
    this.onFatal = onFatal;
  }

  /** Sets the listener of sessions, in place of the one before. */
  public void observe(Observer by) {
    observer = by;
  }

  /**
   * Begins to join and returns at once. It retries while there is no leader, and while this machine
   * from before its boot is not silent yet. The follower gets its schedule once the machine is
   * present.
   */
  @Override
  public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
    EventLoop loop = loops.start("coordination", () -> {});
    return loop.call(() ->
        new RpcSession(
            loop,
            addresses,
            dialer,
            tokens,
            chance,
            ttl,
            machine,
            sessions.get(),
            follower,
            answerer,
            onFatal,
            () -> observer));
  }
}

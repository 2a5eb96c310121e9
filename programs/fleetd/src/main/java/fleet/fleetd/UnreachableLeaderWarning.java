package fleet.fleetd;

import fleet.coordination.Leadership;
import fleet.engine.RpcReachability;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate without a reachable RPC port: if it leads nevertheless, joined machines cannot reach
 * it, and the log says so.
 */
final class UnreachableLeaderWarning implements Leadership.Candidate {

  private static final Logger LOG = LoggerFactory.getLogger(UnreachableLeaderWarning.class);

  private final Leadership.Candidate engine;
  private final JoinedMark joined;
  private final CutOff cutOff;

  /** Whether machines are cut off by such a leader, for people. Safe for use by many threads. */
  static final class CutOff {

    private final String consequence;
    private final BooleanSupplier reached;
    private volatile boolean now;
    private volatile Runnable change = () -> {};

    private CutOff(String consequence, BooleanSupplier reached) {
      this.consequence = consequence;
      this.reached = reached;
    }

    /** Machines never speak to this server. */
    static CutOff forGood() {
      return new CutOff(
          "they count as lost, and their units are started elsewhere though they may run there"
              + " still; remove enable_grpc=false, and restart fleet.service",
          () -> false);
    }

    /**
     * Machines speak to this server once its RPC port is open.
     *
     * @param reached whether it is
     */
    static CutOff until(BooleanSupplier reached) {
      return new CutOff(
          "its RPC port is not open; their units stay with them until it is; if this machine never"
              + " gets an address by itself, set public_ip",
          reached);
    }

    private boolean mayBe() {
      return !reached.getAsBoolean();
    }

    /**
     * Since when nothing has been in the way of machines, as the engine wants to know it.
     *
     * @param port that of the RPC port, if it is open
     */
    Optional<RpcReachability.Opening> opening(Optional<RpcReachability.Opening> port) {
      return now && mayBe()
          ? Optional.empty()
          : port.filter(RpcReachability.Opening::moved).or(RpcReachability.UNHINDERED::opening);
    }

    /** Runs something whenever that changes, one run at a time, on another thread. */
    void onChange(Runnable work) {
      change = work;
    }

    /** The problem and what to do; empty if there is none. */
    Optional<String> problem() {
      return Optional.of(now && mayBe())
          .filter(Boolean::booleanValue)
          .map(_ ->
              "machines that have joined cannot speak to this server, which leads: " + consequence);
    }

    private void is(boolean cutOff) {
      if (now != cutOff) {
        now = cutOff;
        problem().ifPresent(problem -> LOG.error("{}", problem));
        // systemd may be slow to take what it is told.
        Thread.ofVirtual().name("cut-off").start(this::tell);
      }
    }

    private synchronized void tell() {
      change.run();
    }
  }

  UnreachableLeaderWarning(Leadership.Candidate engine, JoinedMark joined, CutOff cutOff) {
    this.engine = engine;
    this.joined = joined;
    this.cutOff = cutOff;
  }

  @Override
  public void lead(Leadership.Term term) {
    // Called first: the engine asks at its beginning which machines it may miss.
    cutOff.is(cutOff.mayBe() && joined.isThere());
    engine.lead(term);
  }

  @Override
  public void retire(String why) {
    cutOff.is(false);
    engine.retire(why);
  }

  @Override
  public void keepReady(boolean ready) {
    engine.keepReady(ready);
  }
}

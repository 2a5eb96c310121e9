package fleet.fleetd;

import fleet.agent.ReleaseProgress;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.notify.HealthProbe;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of fleetd, wired and running. Its methods may be called from any thread; {@link #close}
 * once, as the last.
 */
public interface RunningDaemon extends HealthProbe, AutoCloseable {

  /** Applies changes that need no restart; units are left alone. */
  void reload(Configuration configuration);

  /** Writes the state of the parts, as one line of JSON. */
  void dump(PrintStream out);

  /** Whether another machine would run this machine's units. */
  boolean canRelease();

  /**
   * Until when this machine is in maintenance, as far as it knows; empty if it is not. Its units
   * stay then.
   */
  Optional<Instant> maintenance();

  /**
   * Stops and removes this machine's units and leaves the cluster, so that they run elsewhere.
   * Returns when that is done, or cannot be done; only {@link #close} comes after it.
   */
  void release(ReleaseProgress progress) throws InterruptedException;

  /** Stops the parts in order and leaves all units running that are still there. */
  @Override
  void close();

  /** Wires the parts and starts them. */
  @FunctionalInterface
  interface Starter {
    /**
     * Returns when all parts run.
     *
     * @throws FatalException or another exception whose message is fit for the operator
     */
    RunningDaemon start(StartupInputs startup) throws Exception;
  }
}

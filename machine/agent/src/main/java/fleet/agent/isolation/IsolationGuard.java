package fleet.agent.isolation;

import fleet.core.unit.UnitName;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/**
 * Stops the units of this machine when the cluster has given it up, even if fleetd does not run.
 * Global units go on running. Calls block; one thread at a time.
 */
public interface IsolationGuard {

  /**
   * Moves the deadline; starts the guard if there is none.
   *
   * @param stop how long from now until units are stopped; may be in the past
   * @param kill how long from now until what is left of them is killed
   * @throws IOException if that cannot be written
   * @throws SystemdException if systemd does not run the guard
   */
  void arm(Duration stop, Duration kill) throws IOException;

  /** Whether units were stopped and are not {@linkplain #forgetStopped forgotten}. */
  boolean hasStopped();

  /**
   * Interrupts the guard, so that it stops nothing more before the next {@link #arm}, and returns
   * the running units that it stopped.
   *
   * @throws IOException if its notes cannot be read
   * @throws SystemdException if systemd does not end the guard
   */
  Set<UnitName> takeStopped() throws IOException;

  /** Forgets the stopped units, which have been taken care of. */
  void forgetStopped() throws IOException;

  /** Ends the guard, and leaves nothing behind except its list of stopped units. */
  void disarm() throws IOException;
}

package fleet.agent.isolation;

import fleet.core.unit.UnitName;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/**
 * Stops the units of this machine when the cluster has given it up, and does so whether fleetd
 * lives or not. Global units go on running. Calls block; one thread at a time.
 */
public interface IsolationGuard {

  /**
   * Puts the end off; begins to guard if nobody does.
   *
   * @param stop how long from now until units are stopped; may be in the past
   * @param kill how long from now until what is left of them is killed
   * @throws IOException if that cannot be written down
   * @throws SystemdException if systemd does not run the guard
   */
  void arm(Duration stop, Duration kill) throws IOException;

  /** Whether units were stopped and are not {@linkplain #forgetStopped forgotten}. */
  boolean hasStopped();

  /**
   * Ends what is just being done, so that nothing more is stopped before the next {@link #arm}, and
   * gives the units that ran until they were stopped.
   *
   * @throws IOException if what was written down cannot be read
   * @throws SystemdException if systemd does not end the guard
   */
  Set<UnitName> takeStopped() throws IOException;

  /** Forgets the stopped units, which have been taken care of. */
  void forgetStopped() throws IOException;

  /** Guards no more, and leaves nothing behind but what it has stopped. */
  void disarm() throws IOException;
}

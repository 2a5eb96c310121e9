package fleet.registry;

import java.time.Duration;

/**
 * A lease keeps keys alive: those written with it go when it ends. Safe for use by many threads;
 * calls block until the store has answered.
 */
public interface Lease {

  /** Names the lease within its store; never 0. */
  long id();

  /** How long it lasts from one renewal to the next: what the store granted. */
  Duration ttl();

  /**
   * Renews it.
   *
   * @return false if the lease has ended, and its keys with it
   * @throws RegistryException if the store did not answer: the lease may live or not
   */
  boolean renew();

  /**
   * Ends the lease and its keys at once; does nothing if it has ended already.
   *
   * @return whether this call ended it; false also if the store's first answer was lost. Either way
   *     it has ended
   */
  boolean revoke();
}

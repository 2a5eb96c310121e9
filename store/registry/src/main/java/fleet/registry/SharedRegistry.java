package fleet.registry;

import java.time.Duration;

/** A registry that several machines share, and that can tell when one of them is silent. */
public interface SharedRegistry extends Registry {

  /**
   * Begins a lease.
   *
   * @param ttl how long it is to last from one renewal to the next; the store may grant more
   */
  Lease grant(Duration ttl);

  /**
   * A lease that somebody began, such as an earlier process of this machine. Only {@link
   * Lease#renew} tells whether it still lives.
   *
   * @param id as {@link Entry#lease} has it
   * @param ttl that it was granted
   */
  Lease lease(long id, Duration ttl);
}

package fleet.registry.etcd;

import fleet.registry.Lease;
import fleet.registry.RegistryException;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import java.time.Duration;

/**
 * A lease of etcd's. It is never renewed behind its holder's back.
 *
 * <p>etcd counts the time from when its leader handles a renewal, ends a lease late rather than
 * early (by up to half a second), and restarts the time of all leases when its leader changes or
 * all its members restart. So:
 *
 * <ul>
 *   <li>A renewal that returned true: the lease lives for {@link #ttl} at least from the moment at
 *       which {@link #renew} was called, by etcd's clock.
 *   <li>One that returned false: the lease and its keys are gone for good.
 *   <li>One that threw: etcd may have restarted the time, or not, or may have ended the lease. What
 *       the last renewal that returned true told still holds, and nothing more is known.
 *   <li>After the last renewal ended, however it did: unless somebody else renews it, the lease
 *       ends within {@link #ttl} and half a second, and one more {@link #ttl} for each time that
 *       etcd changed its leader meanwhile; later if etcd has no leader.
 * </ul>
 */
record EtcdLease(EtcdClient connection, long id, Duration ttl) implements Lease {

  static Lease grant(EtcdClient connection, Duration ttl) {
    // One whose answer was lost has no keys and ends by itself.
    long seconds = Math.max(1, ttl.plusNanos(999_999_999).toSeconds());
    try {
      LeaseGrantResponse granted =
          connection.repeat(
              connection.options().patience(),
              () -> connection.sendLease(leases -> leases.grant(seconds)));
      return new EtcdLease(connection, granted.getID(), Duration.ofSeconds(granted.getTTL()));
    } catch (EtcdFault e) {
      throw new RegistryException("no lease was granted: " + e.getMessage(), e);
    }
  }

  /**
   * Ends within two request timeouts, or four seconds if that is more: so that a way to etcd that
   * takes longer than a request may does not cost the lease. A renewal that fails sooner is tried
   * again for one request timeout.
   */
  @Override
  public boolean renew() {
    return isDone("renewed", connection.options().requestTimeout(), () -> connection.renew(id));
  }

  /**
   * {@inheritDoc} Tries for as long as the registry's patience.
   *
   * @throws RegistryException if etcd did not say that it did; then it may yet end by this call,
   *     and ends by itself in any case
   */
  @Override
  public boolean revoke() {
    return isDone(
        "revoked",
        connection.options().patience(),
        () -> connection.sendLease(leases -> leases.revoke(id)));
  }

  /** False if the lease had ended. */
  private boolean isDone(String what, Duration patience, EtcdClient.Attempt<?> attempt) {
    try {
      connection.repeat(patience, attempt);
      return true;
    } catch (EtcdFault e) {
      if (e.kind() == EtcdFault.Kind.LEASE_ENDED) {
        return false;
      }
      throw new RegistryException(
          "the lease was perhaps not %s: %s".formatted(what, e.getMessage()), e);
    }
  }

  @Override
  public String toString() {
    return "lease %x of %s in %s".formatted(id, ttl, connection.options().where());
  }
}

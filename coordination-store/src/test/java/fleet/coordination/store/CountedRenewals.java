package fleet.coordination.store;

import fleet.registry.ForwardingRegistry;
import fleet.registry.Lease;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry that counts how often the leases it grants are renewed. */
final class CountedRenewals extends ForwardingRegistry {

  private final AtomicInteger renewals = new AtomicInteger();

  CountedRenewals(SharedRegistry real) {
    super(real);
  }

  int renewals() {
    return renewals.get();
  }

  @Override
  public Lease grant(Duration ttl) {
    return new Counted(super.grant(ttl));
  }

  private final class Counted implements Lease {
    private final Lease real;

    Counted(Lease real) {
      this.real = real;
    }

    @Override
    public long id() {
      return real.id();
    }

    @Override
    public Duration ttl() {
      return real.ttl();
    }

    @Override
    public boolean renew() {
      renewals.incrementAndGet();
      return real.renew();
    }

    @Override
    public boolean revoke() {
      return real.revoke();
    }
  }
}

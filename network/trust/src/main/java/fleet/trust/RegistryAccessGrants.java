package fleet.trust;

import static fleet.trust.RegistryCalls.answered;
import static fleet.trust.RegistryCalls.withCommandEvent;

import fleet.cluster.AccessGrants;
import fleet.cluster.Caller;
import fleet.cluster.Invitation;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.GrantRecord;
import fleet.registry.records.Keys;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants in the registry. They are read again for each request that needs them, so that a change is
 * in force everywhere once it is answered. Safe for use by many threads.
 */
public final class RegistryAccessGrants implements AccessGrants {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryAccessGrants.class);

  private final Registry registry;
  private final Clock clock;

  public RegistryAccessGrants(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  @Override
  public List<Given> list() {
    Instant now = clock.instant();
    return answered(() ->
        registry.read(Keys.ACCESS).entries().stream().map(entry -> given(entry, now)).toList());
  }

  private static Given given(Entry entry, Instant now) {
    GrantRecord record = GrantRecord.of(entry);
    return new Given(
        record.grant(holder(entry)),
        record.by(),
        record.invitations().stream()
            .filter(one -> one.isOpen(now))
            .map(one -> new Invitation(one.id(), one.expires(), one.by()))
            .toList());
  }

  /** The holder of the grant that an entry keeps. */
  static GrantHolder holder(Entry entry) {
    return GrantHolder.parse(entry.key().substring(Keys.ACCESS.length()))
        .orElseThrow(
            () -> new RegistryException("key " + entry.key() + " of the registry names nobody"));
  }

  @Override
  public void grant(Grant grant, Caller caller) {
    boolean done = false;
    while (!done) {
      done = answered(() -> isGranted(grant, caller));
    }
    LOG.info("access: {} granted by {}", grant.text(), caller);
  }

  private boolean isGranted(Grant grant, Caller caller) {
    String key = Keys.access(grant.holder().toString());
    Optional<Entry> before = registry.get(key);
    GrantRecord next =
        before
            .map(entry -> GrantRecord.of(entry).replacedBy(grant, caller.name()))
            .orElseGet(() -> new GrantRecord(grant, caller.name()));
    Transaction.Builder change = Transaction.when().unchanged(key, before).put(key, next.json());
    return registry.commit(toldOfGrant(change, grant, caller.name()).build())
        instanceof Outcome.Committed;
  }

  @Override
  public boolean revoke(GrantHolder holder, Caller caller) {
    return answered(() -> {
      Optional<Entry> found = registry.get(Keys.access(holder.toString()));
      found.ifPresent(entry -> {
        registry.commit(
            withCommandEvent(
                    Transaction.when().delete(entry.key()),
                    holder.toString(),
                    CommandRecord.REVOKE_GRANT,
                    "",
                    caller.name())
                .build());
        LOG.info("access: grant of {} revoked by {}", holder, caller);
      });
      return found.isPresent();
    });
  }

  /** The same, with an event for the grant. */
  static Transaction.Builder toldOfGrant(Transaction.Builder change, Grant grant, String by) {
    return withCommandEvent(
        change, grant.holder().toString(), CommandRecord.GRANT, grant.text(), by);
  }

  @Override
  public Following follow(Runnable changed) {
    Watch watch =
        answered(() ->
            registry.watch(
                Keys.ACCESS,
                registry.read(Keys.ACCESS),
                new Watcher() {
                  @Override
                  public void changed(Delta delta) {
                    changed.run();
                  }

                  @Override
                  public void failed(RegistryException why) {
                    LOG.debug("grants are not followed any more: {}", why.getMessage());
                    changed.run();
                  }
                }));
    return watch::close;
  }
}

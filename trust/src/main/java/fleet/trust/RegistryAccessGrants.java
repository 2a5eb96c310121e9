package fleet.trust;

import fleet.cluster.AccessGrants;
import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.GrantRecord;
import fleet.registry.records.Keys;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants in the registry. They are read anew for each request that needs them, so that a change is
 * in force everywhere once it is answered. Safe for use by many threads.
 */
public final class RegistryAccessGrants implements AccessGrants {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryAccessGrants.class);

  private final Registry registry;

  public RegistryAccessGrants(Registry registry) {
    this.registry = registry;
  }

  @Override
  public List<Given> list() {
    return answered(() ->
        registry.read(Keys.ACCESS).entries().stream().map(RegistryAccessGrants::given).toList());
  }

  private static Given given(Entry entry) {
    String name = entry.key().substring(Keys.ACCESS.length());
    GrantHolder holder =
        GrantHolder.parse(name)
            .orElseThrow(() ->
                new RegistryException("key " + entry.key() + " of the registry names nobody"));
    GrantRecord record = GrantRecord.of(entry);
    return new Given(record.grant(holder), record.by());
  }

  @Override
  public void grant(Grant grant, Caller caller) {
    String holder = grant.holder().toString();
    String record = new GrantRecord(grant, caller.name()).json();
    answered(() ->
        registry.commit(
            told(
                    Transaction.when().put(Keys.access(holder), record),
                    new CommandRecord(holder, CommandRecord.GRANT, grant.text(), caller.name()))
                .build()));
    LOG.info("access: {} granted by {}", grant.text(), caller);
  }

  @Override
  public boolean revoke(GrantHolder holder, Caller caller) {
    return answered(() -> {
      Optional<Entry> found = registry.get(Keys.access(holder.toString()));
      found.ifPresent(entry -> {
        registry.commit(
            told(
                    Transaction.when().delete(entry.key()),
                    new CommandRecord(
                        holder.toString(), CommandRecord.REVOKE_GRANT, "", caller.name()))
                .build());
        LOG.info("access: grant of {} revoked by {}", holder, caller);
      });
      return found.isPresent();
    });
  }

  /** The same, and those who follow the cluster hear of it. */
  private static Transaction.Builder told(Transaction.Builder change, CommandRecord command) {
    return change.put(Keys.command(command.subject()), command.json());
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

  private static <T> T answered(Supplier<T> call) {
    try {
      return call.get();
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }
}

package fleet.daemon;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watcher;
import fleet.registry.records.Keys;
import fleet.registry.records.TokenRecord;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether other machines may come to a server that is alone: since somebody made a join token that
 * is still good, or a machine has joined. Before that nothing of fleetd is to be found on the
 * network. Safe for use by many threads.
 */
final class JoinDemand {

  private static final Logger LOG = LoggerFactory.getLogger(JoinDemand.class);

  private final Registry registry;
  private final JoinedMark joined;
  private final Clock clock;

  JoinDemand(Registry registry, JoinedMark joined, Clock clock) {
    this.registry = registry;
    this.joined = joined;
    this.clock = clock;
  }

  /**
   * Runs something once machines may come: before this returns if they may now, else when they may.
   * It may run more than once.
   *
   * @throws RegistryException where the registry does not answer
   */
  void whenThere(Runnable then) {
    Snapshot tokens = registry.read(Keys.TOKENS);
    if (joined.isThere() || tokens.entries().stream().anyMatch(this::isGood)) {
      then.run();
      return;
    }
    // The registry ends it.
    var _ = registry.watch(Keys.TOKENS, tokens, new NewTokens(then));
  }

  private boolean isGood(Entry token) {
    return clock.instant().isBefore(TokenRecord.of(token).expires());
  }

  private record NewTokens(Runnable then) implements Watcher {
    @Override
    public void changed(Delta delta) {
      if (delta.changes().stream().anyMatch(Delta.Change.Written.class::isInstance)) {
        then.run();
      }
    }

    @Override
    public void failed(RegistryException why) {
      LOG.warn("tokens cannot be followed, the RPC port opens all the same: {}", why.getMessage());
      then.run();
    }
  }
}

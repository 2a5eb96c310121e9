package fleet.fleetd;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watcher;
import fleet.registry.records.GrantRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.TokenRecord;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this server has to listen on the network. Without demand fleetd does not. Safe for use by
 * many threads.
 */
final class NetworkDemand {

  private static final Logger LOG = LoggerFactory.getLogger(NetworkDemand.class);

  private final Registry registry;
  private final String keys;
  private final BooleanSupplier isKnown;
  private final Predicate<Entry> isOne;

  private NetworkDemand(
      Registry registry, String keys, BooleanSupplier isKnown, Predicate<Entry> isOne) {
    this.registry = registry;
    this.keys = keys;
    this.isKnown = isKnown;
    this.isOne = isOne;
  }

  /**
   * Demand by other machines, at a server that is alone: since somebody made a join token that is
   * still good, or a machine has joined.
   */
  static NetworkDemand toJoin(Registry registry, JoinedMark joined, Clock clock) {
    return new NetworkDemand(
        registry,
        Keys.TOKENS,
        joined::isThere,
        entry -> clock.instant().isBefore(TokenRecord.of(entry).expires()));
  }

  /** Demand by people: since somebody was invited, or has logged in. */
  static NetworkDemand toLogIn(Registry registry, Clock clock) {
    return new NetworkDemand(
        registry, Keys.ACCESS, () -> false, entry -> isForPeople(entry, clock));
  }

  private static boolean isForPeople(Entry entry, Clock clock) {
    try {
      GrantRecord grant = GrantRecord.of(entry);
      return !grant.logins().isEmpty()
          || grant.invitations().stream().anyMatch(one -> one.isOpen(clock.instant()));
    } catch (RegistryException e) {
      LOG.warn("nobody comes by that grant: {}", e.getMessage());
      return false;
    }
  }

  /**
   * Runs something once there is demand: before this returns if there is now, else later. It may
   * run more than once.
   *
   * @throws RegistryException if the registry does not answer
   */
  void whenThere(Runnable then) {
    Snapshot there = registry.read(keys);
    if (isKnown.getAsBoolean() || there.entries().stream().anyMatch(isOne)) {
      then.run();
      return;
    }
    // The registry ends it.
    var _ = registry.watch(keys, there, new Newcomers(keys, isOne, then));
  }

  private record Newcomers(String keys, Predicate<Entry> isOne, Runnable then) implements Watcher {
    @Override
    public void changed(Delta delta) {
      for (Delta.Change change : delta.changes()) {
        if (change instanceof Delta.Change.Written(Entry entry) && isOne.test(entry)) {
          then.run();
          return;
        }
      }
    }

    @Override
    public void failed(RegistryException why) {
      LOG.warn("{} cannot be followed, the port opens all the same: {}", keys, why.getMessage());
      then.run();
    }
  }
}

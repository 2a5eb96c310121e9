package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.store.LeaseRenewal;
import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.LeaseEndedException;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This engine's lead: renews its lease, and keeps the leader's key as it was written, until the
 * store says that it is over. Belongs to its loop: made, called and heard there.
 */
final class LeaderLease {

  private static final Logger log = LoggerFactory.getLogger(LeaderLease.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final EventLoop loop;
  private final LeaderKey key;
  private final Machine machine;
  private final Consumer<Duration> confirmed;
  private final Consumer<String> lost;
  private final LeaseRenewal renewal;
  private LeaderKey.Held held;

  /** The wanted value of the key. */
  private String wanted;

  private boolean writing;
  private boolean over;

  /**
   * @param confirmed told how long ago the store was asked for the lease that it has renewed
   * @param lost told once why the store says that this engine leads no more
   */
  LeaderLease(
      EventLoop loop,
      LeaderKey key,
      Machine machine,
      LeaderKey.Held won,
      Consumer<Duration> confirmed,
      Consumer<String> lost) {
    this.loop = loop;
    this.confirmed = confirmed;
    this.key = key;
    this.machine = machine;
    this.lost = lost;
    this.held = won;
    this.wanted = won.value();
    this.renewal = new LeaseRenewal(loop, "the leader", won.lease(), new Renewed());
  }

  /** Changes the wanted value of the key. */
  void say(String value) {
    wanted = value;
    if (!writing && !over && !held.value().equals(value)) {
      write();
    }
  }

  /** The present key, which may be new here. */
  void compare(LeaderSighting sighting) {
    if (writing || over || sighting.revision() < held.since()) {
      return;
    }
    if (sighting.entry().isEmpty()) {
      lose("the leader's key has gone: its lease has ended, or somebody deleted it");
      return;
    }
    Entry seen = sighting.entry().get();
    if (seen.created() != held.token()) {
      lose("another engine leads");
    } else if (seen.lease() != held.lease().id() || !seen.value().equals(held.value())) {
      mendOrLose(sighting, seen);
    }
  }

  private void mendOrLose(LeaderSighting sighting, Entry seen) {
    boolean taken = seen.lease() != 0 && sighting.isOf(machine);
    if (taken && seen.lease() != held.lease().id()) {
      lose("another fleetd of this machine has taken the lead");
      return;
    }
    log.warn("leadership: the leader's key was overwritten; writing it again");
    write();
  }

  private void write() {
    writing = true;
    LeaderKey.Held before = held;
    String value = wanted;
    loop.beside("writing of the leader's key", () -> write(before, value));
  }

  private void write(LeaderKey.Held before, String value) {
    try {
      Optional<LeaderKey.Held> written = key.write(before, value);
      loop.post(() -> written(written));
    } catch (LeaseEndedException e) {
      loop.post(() -> written(Optional.empty()));
    } catch (RegistryException e) {
      log.warn("leadership: cannot write the leader's key: {}", e.getMessage());
      loop.postAfter(RETRY, () -> written(Optional.of(before)));
    }
  }

  private void written(Optional<LeaderKey.Held> written) {
    writing = false;
    if (over) {
      return;
    }
    if (written.isEmpty()) {
      lose("the leader's key is another's");
      return;
    }
    held = written.get();
    say(wanted);
  }

  private void lose(String why) {
    end();
    renewal.end();
    lost.accept(why);
  }

  /** The lead is given up: stops renewals and repairs. */
  void end() {
    over = true;
    renewal.close();
    key.disown(held);
  }

  /**
   * Lets others lead at once.
   *
   * @param then run on the loop when the store has been told, or could not be
   */
  void giveBack(Runnable then) {
    end();
    loop.beside(
        "end of the lead",
        () -> {
          try {
            held.lease().revoke();
          } catch (RegistryException e) {
            log.warn(
                "leadership: the lead was not given back, and ends in {} s: {}",
                held.lease().ttl().toSeconds(),
                e.getMessage());
          } finally {
            loop.post(then);
          }
        });
  }

  /** Gets the results of renewals. */
  private final class Renewed implements LeaseRenewal.Listener {

    @Override
    public void acknowledged(Duration sentAgo) {
      confirmed.accept(sentAgo);
    }

    @Override
    public void ended(String why) {
      if (!over) {
        lose(why);
      }
    }
  }
}

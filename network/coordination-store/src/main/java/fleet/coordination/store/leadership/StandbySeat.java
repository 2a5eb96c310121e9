package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership.Candidate;
import fleet.coordination.store.KeyFollower;
import fleet.coordination.store.LeaseRenewal;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.StandbyRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This engine's bid for the seat of the warm standby: takes the seat if the leader offers it and it
 * is free, and keeps it as long as its lease lives and the leader allows it. Belongs to the loop of
 * its election.
 */
final class StandbySeat {

  private static final Logger log = LoggerFactory.getLogger(StandbySeat.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final SharedRegistry registry;
  private final String machine;
  private final Duration ttl;
  private final EventLoop loop;
  private final Candidate engine;
  private final KeyFollower follower;
  private Optional<Entry> seat = Optional.empty();
  private Optional<Taken> taken = Optional.empty();
  private boolean asking;

  /**
   * @param since revision from which on the seat is this engine's
   */
  private record Taken(LeaseRenewal renewal, long since) {}

  /**
   * @param machine id of the machine
   */
  StandbySeat(
      SharedRegistry registry, String machine, Duration ttl, EventLoop loop, Candidate engine) {
    this.registry = registry;
    this.machine = machine;
    this.ttl = ttl;
    this.loop = loop;
    this.engine = engine;
    this.follower = new KeyFollower(loop, registry, Keys.STANDBY, this::seen);
  }

  void begin() {
    follower.start();
  }

  private void seen(Optional<Entry> entry, long revision) {
    seat = entry;
    boolean lost =
        taken.filter(own -> revision >= own.since && !isOf(own.renewal.lease())).isPresent();
    if (lost) {
      give("the leader wants it no more");
    }
  }

  private boolean isOf(Lease lease) {
    return seat.filter(entry -> entry.lease() == lease.id()).isPresent();
  }

  /** Whether this engine has the seat. */
  boolean isTaken() {
    return taken.isPresent();
  }

  /** Whether another engine is ready to lead, as far as is known. */
  boolean isOthers() {
    return taken.isEmpty() && seat.filter(entry -> entry.lease() != 0).isPresent();
  }

  /**
   * Takes the seat if it is free; for an engine that stands by.
   *
   * @param spread how long to wait after the seat became free, since many standbys may see that
   */
  void take(Supplier<Duration> spread) {
    Optional<Entry> free = seat.filter(StandbySeat::isFree);
    if (free.isEmpty() || asking || taken.isPresent()) {
      return;
    }
    asking = true;
    loop.postAfter(
        spread.get(),
        () -> {
          if (seat.equals(free)) {
            loop.beside("warm standby", () -> ask(free.get()));
          } else {
            asking = false;
          }
        });
  }

  private static boolean isFree(Entry entry) {
    try {
      return entry.lease() == 0 && StandbyRecord.of(entry).isFree();
    } catch (RegistryException e) {
      log.debug("leadership: who is the warm standby cannot be read", e);
      return false;
    }
  }

  private void ask(Entry free) {
    Optional<Lease> lease = Optional.empty();
    try {
      lease = Optional.of(registry.grant(ttl));
      Outcome outcome =
          registry.commit(
              Transaction.when()
                  .unmodified(free)
                  .put(Keys.STANDBY, new StandbyRecord(machine).json(), lease.get())
                  .build());
      if (outcome instanceof Outcome.Committed written) {
        Lease won = lease.get();
        loop.post(() -> took(won, written.revision()));
        return;
      }
    } catch (RegistryException e) {
      log.debug("leadership: the seat of the warm standby was perhaps not taken", e);
    }
    lease.ifPresent(LeaseRenewal::revoke);
    loop.postAfter(RETRY, () -> asking = false);
  }

  private void took(Lease lease, long since) {
    asking = false;
    taken =
        Optional.of(
            new Taken(new LeaseRenewal(loop, "the warm standby", lease, this::ended), since));
    log.info(
        "leadership: there are so many units that this machine keeps itself ready to lead, as the"
            + " warm standby");
    engine.keepReady(true);
  }

  /** This engine leads now; the seat is free for another one. */
  void leads() {
    taken.ifPresent(own -> own.renewal.close());
    taken = Optional.empty();
  }

  private void give(String why) {
    taken.ifPresent(own -> {
      own.renewal.end();
      engine.keepReady(false);
      log.info("leadership: this machine is the warm standby no more: {}", why);
    });
    taken = Optional.empty();
  }

  /** Gives the seat back, and takes it no more. */
  void close() {
    give("fleetd stops");
    follower.close();
  }

  private void ended(String why) {
    if (taken.isPresent()) {
      give(why);
    }
  }
}

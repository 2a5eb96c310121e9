package fleet.coordination.store;

import fleet.coordination.DuplicateMachine;
import fleet.coordination.EventLoop;
import fleet.coordination.HeartbeatInterval;
import fleet.core.machine.Machine;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the machine's record in the store: joins, renews the lease, and joins again when it has
 * ended. Belongs to its loop.
 */
final class MachineRegistration implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(MachineRegistration.class);

  private static final Duration AGAIN = Duration.ofMillis(100);
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(2);

  /** Gets the state of the membership, on the loop. */
  interface Listener {

    /** The machine is present, for the first time or again. */
    void joined(MachineLease membership);

    void acknowledged(Duration ago);

    /** The lease has ended, and all its keys are gone. */
    void lost();
  }

  private final EventLoop loop;
  private final StoreWork work;
  private final SharedRegistry registry;
  private final Duration ttl;
  private final Listener listener;
  private final Consumer<String> onFatal;
  private final RegistrationWriter writer;
  private final PrefixFollower record;
  private Machine machine;
  private @Nullable Machine written;
  private @Nullable MachineLease membership;
  private @Nullable LeaseRenewal renewal;
  private volatile Optional<MachineLease> held = Optional.empty();
  private volatile boolean left;
  private boolean working;
  private boolean closed;
  private final DuplicateMachine duplicate;

  /** Why it was refused last. */
  private String complaint = "";

  /** Begins to join. */
  MachineRegistration(
      EventLoop loop,
      StoreWork work,
      SharedRegistry registry,
      Machine machine,
      Duration ttl,
      RegistrationWriter writer,
      Listener listener,
      Consumer<String> onFatal) {
    this.loop = loop;
    this.work = work;
    this.registry = registry;
    this.machine = machine;
    this.ttl = ttl;
    this.listener = listener;
    this.onFatal = onFatal;
    this.writer = writer;
    this.duplicate = new DuplicateMachine(loop, machine.id(), ttl);
    this.record =
        new PrefixFollower(
            loop, work, registry, Keys.machine(machine.id()), new RecordEvents(), onFatal);
    join();
  }

  /** Takes over another description of the machine. */
  void present(Machine changed) {
    machine = changed;
    rewrite();
  }

  /** The store was found not to know this membership any more. */
  void doubt(MachineLease doubted) {
    if (doubted.is(membership)) {
      lose("its record is gone from the store");
    }
  }

  private void join() {
    if (working || closed || membership != null) {
      return;
    }
    working = true;
    Machine joiningAs = machine;
    work.begin("joining the cluster", () -> attempt(joiningAs), this::answered);
  }

  /** Beside the loop. A join that completes after leaving is undone. */
  private RegistrationWriter.Result attempt(Machine joiningAs) {
    RegistrationWriter.Result result = writer.attempt(joiningAs);
    if (result instanceof RegistrationWriter.Result.Joined joined) {
      held = Optional.of(joined.membership());
      if (left) {
        joined.membership().lease().revoke();
      }
    }
    return result;
  }

  private void answered(RegistrationWriter.Result result) {
    working = false;
    if (closed) {
      return;
    }
    switch (result) {
      case RegistrationWriter.Result.Joined joined -> joined(joined);
      case RegistrationWriter.Result.Occupied occupied -> occupied(occupied);
      case RegistrationWriter.Result.Refused refused -> refused(refused.why());
      case RegistrationWriter.Result.Again _ -> loop.postAfter(AGAIN, this::join);
    }
  }

  /** Waits until it is admitted. */
  private void refused(String why) {
    if (!why.equals(complaint)) {
      complaint = why;
      log.error("coordination: this machine does not join through the store: {}", why);
    }
    loop.postAfter(AFTER_REFUSAL, this::join);
  }

  private void joined(RegistrationWriter.Result.Joined joined) {
    duplicate.gone();
    complaint = "";
    MachineLease begun = joined.membership();
    membership = begun;
    written = joined.machine();
    renewal =
        new LeaseRenewal(
            loop, "this machine", begun.lease(), HeartbeatInterval.of(ttl), new LeaseEvents(begun));
    log.info(
        "coordination: machine {} is part of the cluster, on lease {}",
        machine.id(),
        Long.toHexString(begun.lease().id()));
    listener.joined(begun);
    listener.acknowledged(Duration.ofNanos(loop.nanoTime() - joined.sent()));
    rewrite();
  }

  private void occupied(RegistrationWriter.Result.Occupied occupied) {
    Optional<MachineRecord> other = occupied.other();
    Duration its = other.map(MachineRecord::ttl).orElse(ttl);
    Duration left = duplicate.present(occupied.entry().lease(), its, named(other));
    if (left.isPositive()) {
      loop.postAfter(left, this::join);
    } else {
      onFatal.accept(duplicate.complaint(named(other)));
    }
  }

  private static String named(Optional<MachineRecord> other) {
    return other
        .map(MachineRecord::machine)
        .map(it -> DuplicateMachine.named(it.publicIp(), it.bootId()))
        .orElse("and its record cannot be read");
  }

  private void rewrite() {
    MachineLease current = membership;
    if (working || closed || current == null || machine.equals(written)) {
      return;
    }
    working = true;
    Machine writing = machine;
    String key = Keys.machine(machine.id());
    Transaction transaction =
        Transaction.when()
            .createdAt(key, current.created())
            .put(key, new MachineRecord(writing, ttl).json(), current.lease())
            .build();
    work.begin(
        "writing the machine's record",
        () -> registry.commit(transaction),
        outcome -> rewritten(current, writing, outcome));
  }

  private void rewritten(MachineLease current, Machine writing, Outcome outcome) {
    working = false;
    if (!current.is(membership)) {
      join();
      return;
    }
    if (outcome instanceof Outcome.Refused) {
      doubt(current);
    } else {
      written = writing;
      rewrite();
    }
  }

  private void lose(String why) {
    log.warn("coordination: this machine has left the cluster: {}; joining again", why);
    endRenewal();
    membership = null;
    listener.lost();
    join();
  }

  private void endRenewal() {
    if (renewal != null) {
      renewal.close();
      renewal = null;
    }
  }

  /** Ends the registration; the remaining work for a present machine waits for the store. */
  Optional<Departure> leave() {
    left = true;
    close();
    return held.map(stay -> new Departure(registry, machine, ttl, stay));
  }

  /** The lease that the machine is there on. */
  Optional<Lease> lease() {
    return Optional.ofNullable(membership).map(MachineLease::lease);
  }

  @Override
  public void close() {
    closed = true;
    membership = null;
    endRenewal();
    record.close();
  }

  private final class LeaseEvents implements LeaseRenewal.Listener {
    private final MachineLease renewed;

    LeaseEvents(MachineLease renewed) {
      this.renewed = renewed;
    }

    @Override
    public void acknowledged(Duration sentAgo) {
      if (renewed.is(membership)) {
        listener.acknowledged(sentAgo);
      }
    }

    @Override
    public void ended(String why) {
      if (renewed.is(membership)) {
        lose(why);
      }
    }
  }

  /** Notices at once when a record goes: the other machine's that it waits for, or its own. */
  private final class RecordEvents implements PrefixFollower.Listener {

    @Override
    public void read(Snapshot snapshot) {
      boolean there = snapshot.entries().stream().anyMatch(entry -> isOurs(entry.key()));
      if (!there) {
        gone(snapshot.revision());
      }
    }

    @Override
    public void changed(Delta delta) {
      for (Change change : delta.changes()) {
        if (change instanceof Change.Deleted(String key) && isOurs(key)) {
          gone(delta.revision());
        }
      }
    }

    private boolean isOurs(String key) {
      return key.equals(Keys.machine(machine.id()));
    }

    private void gone(long revision) {
      MachineLease current = membership;
      if (current == null) {
        join();
      } else if (revision > current.created()) {
        doubt(current);
      }
    }
  }
}

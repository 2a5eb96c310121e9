package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership;
import fleet.coordination.Leadership.Term;
import fleet.coordination.store.ObservedRegistry;
import fleet.coordination.store.SteeredLoops;
import fleet.core.machine.Machine;
import fleet.core.testing.Await;
import fleet.registry.Entry;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An engine that takes part in elections, with its own way to etcd, and notes what it is told. */
final class Contestant implements Leadership.Candidate, AutoCloseable {

  /** Long enough to outlast a pause of the machine that runs the tests. */
  static final Duration LEASE = Duration.ofSeconds(15);

  /** For those who wait for its end. */
  static final Duration SHORT_LEASE = Duration.ofSeconds(5);

  /** The leader's key, the cluster's, the mark of those that joined, and the standby's seat. */
  private static final int FOLLOWED = 4;

  static final String NO_ADDRESS = "";

  /** A call to an engine. */
  sealed interface Told {
    record Lead(Term term) implements Told {}

    record Retire(String why) implements Told {}

    record KeepReady(boolean ready) implements Told {}
  }

  final Machine machine;
  final ObservedRegistry registry;
  private final SteeredLoops loops;
  private final Duration lease;
  private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
  private final StoreLeadership leadership;
  private volatile boolean leads;
  private volatile CompletableFuture<Void> retirement = CompletableFuture.completedFuture(null);
  private volatile Optional<RuntimeException> unable = Optional.empty();

  Contestant(String id, SharedRegistry registry) {
    this(machine(id), registry);
  }

  Contestant(Machine machine, SharedRegistry registry) {
    this(machine, registry, LEASE);
  }

  Contestant(Machine machine, SharedRegistry registry, Duration lease) {
    this(
        machine,
        registry,
        new LeadershipSettings(lease, 0, Optional.empty(), false),
        SteeredLoops.running());
  }

  private Contestant(
      Machine machine, SharedRegistry registry, LeadershipSettings settings, SteeredLoops loops) {
    this.machine = machine;
    this.loops = loops;
    this.lease = settings.lease();
    this.registry = new ObservedRegistry(registry);
    this.leadership =
        new StoreLeadership(
            this.registry, machine, settings, loops::start, RandomGenerator.of("L64X128MixRandom"));
  }

  /** One that machines speak to when it leads. */
  static Contestant spokenTo(String id, SharedRegistry registry) {
    return new Contestant(
        machine(id),
        registry,
        new LeadershipSettings(LEASE, 0, Optional.empty(), true),
        SteeredLoops.running());
  }

  /** One for which time passes only when a test says so. */
  static Contestant standing(String id, SharedRegistry registry) {
    return new Contestant(
        machine(id),
        registry,
        new LeadershipSettings(LEASE, 0, Optional.empty(), false),
        SteeredLoops.standing());
  }

  static Machine machine(String id) {
    return machine(id, "boot of " + id, "127.0.0.1");
  }

  static Machine machine(String id, String boot, String address) {
    return new Machine(id, boot, address, Map.of(), "2.0.0");
  }

  Contestant campaign() {
    leadership.campaign(this);
    return this;
  }

  /** Leading fails from now on, or works again. */
  void unable(@Nullable RuntimeException why) {
    unable = Optional.ofNullable(why);
  }

  @Override
  public void lead(Term term) {
    assertThat(leads).isFalse();
    told.add(new Told.Lead(term));
    if (unable.isPresent()) {
      throw unable.get();
    }
    leads = true;
  }

  /** Retiring takes until then. */
  void holdRetirement(CompletableFuture<Void> until) {
    retirement = until;
  }

  @Override
  public void retire(String why) {
    assertThat(leads).isTrue();
    retirement.join();
    leads = false;
    told.add(new Told.Retire(why));
  }

  @Override
  public void keepReady(boolean ready) {
    told.add(new Told.KeepReady(ready));
  }

  boolean leads() {
    return leads;
  }

  /** Waits until it sees all that it follows in the store, and has done what that asks for. */
  void awaitFollowing() throws InterruptedException {
    registry.awaitWatches(FOLLOWED);
    loops.settle();
  }

  /** Waits until its loop has nothing left to do. */
  void settle() throws InterruptedException {
    loops.settle();
  }

  /** So much time passes for it, and what becomes due is done. */
  void pass(Duration time) throws InterruptedException {
    loops.skip(time);
    loops.settle();
  }

  /** So much time passes for it; what becomes due has begun. */
  void skip(Duration time) {
    loops.skip(time);
  }

  /** So much time passes for it, in which it is told neither to lead nor to retire. */
  void assertToldNothingIn(Duration time) throws InterruptedException {
    pass(time);
    assertToldNothing();
  }

  /** Has a renewal due now, and waits until the store says that the lease lives. */
  void awaitRenewal() throws InterruptedException {
    int before = registry.renewals();
    skip(lease.dividedBy(3));
    registry.awaitRenewals(before + 1);
  }

  /** Waits until it is to keep ready, or need not any longer; time passes meanwhile. */
  boolean awaitKeepReady() throws InterruptedException {
    Await.until(() -> {
      skip(Duration.ofMillis(200));
      return !told.isEmpty();
    });
    if (next() instanceof Told.KeepReady(boolean ready)) {
      return ready;
    }
    throw new AssertionError("leads or retires instead");
  }

  Term awaitLead() throws InterruptedException {
    return switch (next()) {
      case Told.Lead(Term term) -> term;
      case Told other -> throw new AssertionError("does not lead: " + other);
    };
  }

  String awaitRetirement() throws InterruptedException {
    return switch (next()) {
      case Told.Retire(String why) -> why;
      case Told other -> throw new AssertionError("does not retire: " + other);
    };
  }

  private Told next() throws InterruptedException {
    return told.take();
  }

  /** Looks back: nothing was told that has not been asked for here. */
  void assertToldNothing() {
    assertThat(told).isEmpty();
  }

  /** Others reach it elsewhere from now on. */
  void move(String publicIp) {
    leadership.move(publicIp, Optional.empty());
  }

  /** Hands over and takes part no more. */
  void resign() {
    leadership.close();
  }

  /** Begins to hand over. */
  CompletableFuture<Void> beginToResign() {
    return leadership.resign();
  }

  /** As if the process had died, but for its loops: nothing is handed over or renewed. */
  void die() {
    leadership.abandon();
  }

  Entry leader() {
    return registry.get("leader").orElseThrow();
  }

  @Override
  public void close() {
    leadership.close();
    registry.close();
  }
}

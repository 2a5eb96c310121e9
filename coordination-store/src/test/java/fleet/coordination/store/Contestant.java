package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.coordination.Leadership.Term;
import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.SharedRegistry;
import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An engine that takes part in elections, with its own way to etcd, and notes what it is told. */
final class Contestant implements Leadership.Candidate, AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(5);
  static final String NO_ADDRESS = "";

  /** What an engine was told. */
  sealed interface Told {
    record Lead(Term term) implements Told {}

    record Retire(String why) implements Told {}

    record KeepReady(boolean ready) implements Told {}
  }

  final Machine machine;
  final SharedRegistry registry;
  private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
  private final StoreLeadership leadership;
  private volatile boolean leads;
  private volatile CompletableFuture<Void> retirement = CompletableFuture.completedFuture(null);
  private volatile Optional<RuntimeException> unable = Optional.empty();

  Contestant(String id, URI... etcd) {
    this(machine(id, "boot of " + id, "127.0.0.1"), etcd);
  }

  Contestant(Machine machine, URI... etcd) {
    this(machine, 0, etcd);
  }

  Contestant(Machine machine, int port, URI... etcd) {
    this(machine, port, open(machine.id(), etcd));
  }

  Contestant(String id, SharedRegistry registry) {
    this(machine(id, "boot of " + id, "127.0.0.1"), 0, registry);
  }

  private Contestant(Machine machine, int port, SharedRegistry registry) {
    this(machine, registry, new LeadershipSettings(LEASE, port));
  }

  private Contestant(Machine machine, SharedRegistry registry, LeadershipSettings settings) {
    this.machine = machine;
    this.registry = registry;
    this.leadership = leadership(registry, machine, settings);
  }

  /** One that machines speak to when it leads. */
  static Contestant spokenTo(String id, URI... etcd) {
    return new Contestant(
        machine(id, "boot of " + id, "127.0.0.1"),
        open(id, etcd),
        new LeadershipSettings(LEASE, 0, Optional.empty(), true));
  }

  static Machine machine(String id, String boot, String address) {
    return new Machine(id, boot, address, Map.of(), "2.0.0");
  }

  private static StoreLeadership leadership(
      SharedRegistry registry, Machine machine, LeadershipSettings settings) {
    return new StoreLeadership(
        registry, machine, settings, EventThread::new, RandomGenerator.of("L64X128MixRandom"));
  }

  static EtcdRegistry open(String writer, URI... etcd) {
    return open(writer, Duration.ofSeconds(1), etcd);
  }

  static EtcdRegistry open(String writer, Duration requestTimeout, URI... etcd) {
    return EtcdRegistry.open(
        new EtcdOptions(
            List.of(etcd),
            "/fleet/",
            writer,
            requestTimeout,
            Duration.ofSeconds(10),
            Optional.empty(),
            Optional.empty()));
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

  boolean awaitKeepReady() throws InterruptedException {
    if (next(Duration.ofSeconds(20)) instanceof Told.KeepReady(boolean ready)) {
      return ready;
    }
    throw new AssertionError("leads or retires instead");
  }

  Term awaitLead() throws InterruptedException {
    return awaitLead(Duration.ofSeconds(20));
  }

  Term awaitLead(Duration within) throws InterruptedException {
    return switch (next(within)) {
      case Told.Lead(Term term) -> term;
      case Told other -> throw new AssertionError("does not lead: " + other);
    };
  }

  String awaitRetirement() throws InterruptedException {
    return switch (next(Duration.ofSeconds(20))) {
      case Told.Retire(String why) -> why;
      case Told other -> throw new AssertionError("does not retire: " + other);
    };
  }

  private Told next(Duration within) throws InterruptedException {
    Told next = told.poll(within.toMillis(), TimeUnit.MILLISECONDS);
    if (next == null) {
      throw new AssertionError(machine.id() + " was told nothing within " + within);
    }
    return next;
  }

  /** Looks back: nothing was told that has not been asked for here. */
  void assertToldNothing() {
    assertThat(told).isEmpty();
  }

  /** What is told within that time, if anything. */
  void assertToldNothingFor(Duration time) throws InterruptedException {
    assertThat(told.poll(time.toMillis(), TimeUnit.MILLISECONDS)).isNull();
  }

  /** Hands over and takes part no more. */
  void resign() {
    leadership.close();
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

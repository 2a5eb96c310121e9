package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership.Candidate;
import fleet.coordination.Leadership.Term;
import fleet.coordination.store.KeyFollower;
import fleet.coordination.store.LoopTimer;
import fleet.coordination.store.leadership.LeaderKey.Held;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.SharedRegistry;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine's part in the elections. It follows the leader's key, and acts at the end of each turn
 * of its loop on the key as last seen.
 */
final class Election {

  private static final Logger log = LoggerFactory.getLogger(Election.class);

  /** Spreads the actions of many standbys, so that most see that one has acted. */
  private static final int SPREAD_MILLIS = 300;

  /** The same for the seat of the warm standby, which is not urgent. */
  private static final int SEAT_SPREAD_MILLIS = 3_000;

  /** How long the others leave the lead to the engine that has just ended a dead leader's lease. */
  private static final Duration HEAD_START = Duration.ofMillis(200);

  /** How long the others leave the lead to the warm standby. */
  private static final Duration WARM_FIRST = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** By then the machines of a former leader have connected to the next one, or to the store. */
  private static final Duration LONGEST_WAY = Duration.ofMinutes(2);

  private static final Duration FIRST_REST = Duration.ofSeconds(2);
  private static final int MOST_DOUBLINGS = 6;

  /** How long a closing election waits for its engine to retire; its writes are fenced anyway. */
  private static final Duration LONGEST_RETIREMENT = Duration.ofSeconds(5);

  /** The store has its time to learn of it. */
  private static final Duration LONGEST_END = Duration.ofSeconds(8);

  private final LeaderKey key;
  private final Machine machine;
  private final Duration ttl;

  /** Whether machines speak to this engine itself when it leads. */
  private final boolean rpc;

  private final RandomGenerator chance;
  private final EventLoop loop;
  private final LeaderPort port;
  private final Candidacy candidacy;
  private final TermNotifier candidate;
  private final EngineVersionGate gate;
  private final KeyFollower clusterKey;
  private final KeyFollower leaderKey;
  private final StandbySeat seat;
  private final LeaderWatch watch;
  private final LoopTimer pause;
  private final LeaderSighting sighting = new LeaderSighting();
  private final CandidatePriority priority;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private Role role = new Standby();

  /** When the pending request to the store was sent. */
  private long asked;

  /**
   * When the request was sent that the store confirmed last; empty if this engine does not lead.
   */
  private volatile Optional<Long> confirmedAt = Optional.empty();

  /** Token of the last leader whose process has proved to have ended, by this engine's line. */
  private Optional<Long> dead = Optional.empty();

  /** Whether this engine ends that lead, and so has the head start. */
  private boolean first;

  private boolean proving;
  private boolean unanswered;
  private int failures;
  private boolean closing;
  private boolean overdue;

  /** The present role of this engine. */
  private sealed interface Role {}

  private record Standby() implements Role {}

  /** A request to the store is pending that decides the next step. */
  private record Asking() implements Role {}

  private record Leading(LeaderLease lead) implements Role {}

  /** The engine retires, then the lease is revoked. */
  private record GivingBack(LeaderLease lead) implements Role {}

  Election(
      SharedRegistry registry,
      Machine machine,
      String publicIp,
      LeadershipSettings settings,
      EventLoop.Factory loops,
      RandomGenerator chance,
      Candidate engine) {
    this.key = new LeaderKey(registry, settings.lease());
    this.rpc = settings.spokenTo();
    this.machine = machine;
    this.ttl = settings.lease();
    this.chance = chance;
    this.loop = loops.start("leadership", this::decide);
    this.port =
        settings
            .served()
            .map(address -> LeaderPort.servedAt(loop, address))
            .orElseGet(() -> LeaderPort.open(loop, publicIp, settings.port()));
    this.candidacy = new Candidacy(key, machine, record());
    this.candidate = new TermNotifier(loop, engine, () -> failures = 0, this::cannotLead);
    this.gate = new EngineVersionGate(loop, registry);
    this.clusterKey = new KeyFollower(loop, registry, Keys.CLUSTER, gate::seen);
    this.leaderKey = new KeyFollower(loop, registry, Keys.LEADER, this::seen);
    this.seat = new StandbySeat(registry, machine.id(), ttl, loop, engine);
    this.watch = new LeaderWatch(loop, this::processEnded);
    this.pause = new LoopTimer(loop);
    this.priority = new CandidatePriority(rpc, sighting, pause, loop, registry);
  }

  /** The record with which this engine leads, or would. */
  private LeaderRecord record() {
    return new LeaderRecord(
        machine.id(),
        machine.bootId(),
        port.address(),
        machine.version(),
        EngineVersionGate.OURS,
        rpc);
  }

  /**
   * Others reach this process elsewhere from now on; they are told at once if this engine leads.
   *
   * @param publicIp where others reach the machine; empty if that is not known
   * @param served {@code host:port} where this process listens already
   */
  void move(String publicIp, Optional<String> served) {
    loop.post(() -> {
      port.move(publicIp, served);
      LeaderRecord record = record();
      candidacy.is(record);
      if (role instanceof Leading leading) {
        leading.lead.say(record.json());
      }
    });
  }

  /** Takes part from now on. */
  void begin() {
    clusterKey.start();
    leaderKey.start();
    priority.begin();
    seat.begin();
  }

  /**
   * Hands over if this engine leads, and takes part no more.
   *
   * @return completes once that is done, or has taken too long
   */
  CompletableFuture<Void> end() {
    loop.post(() -> closing = true);
    loop.postAfter(LONGEST_RETIREMENT, () -> overdue = true);
    loop.postAfter(LONGEST_END, this::giveUp);
    return ended;
  }

  private void giveUp() {
    log.warn(
        "leadership: the registry does not answer; if this machine leads, its lease ends in {} s",
        ttl.toSeconds());
    abandon();
  }

  /** Leaves everything as it is: the lease, if there is one, ends by itself. */
  void abandon() {
    port.close();
    loop.close();
    ended.complete(null);
  }

  private Duration spread() {
    return Duration.ofMillis(chance.nextInt(SPREAD_MILLIS + 1));
  }

  /**
   * How long this engine leaves a vacant lead to others.
   *
   * @param gone token of the former leader
   */
  private Duration turn(long gone) {
    if (seat.isOthers()) {
      return WARM_FIRST.plus(spread());
    }
    if (first || seat.isTaken()) {
      return Duration.ZERO;
    }
    return dead.equals(Optional.of(gone)) ? HEAD_START.plus(spread()) : spread();
  }

  private void seen(Optional<Entry> leader, long revision) {
    boolean firstLook = !sighting.looked();
    Optional<Entry> before = sighting.entry();
    sighting.seen(leader, revision, loop.nanoTime());
    if (firstLook) {
      candidacy.begin(sighting);
    }
    if (before.isPresent() && sighting.entry().isEmpty()) {
      pause.atLeast(turn(before.get().created()));
      first = false;
    } else if (sighting.isOlderThan(EngineVersionGate.OURS) || priority.isFurtherThanLeaders()) {
      pause.atLeast(spread());
    }
    priority.leaveToOthers();
  }

  private void decide() {
    switch (role) {
      case Standby _ -> standBy();
      case Leading leading -> lead(leading);
      case GivingBack giving -> giveBack(giving);
      case Asking _ -> {}
    }
  }

  private void standBy() {
    if (closing) {
      finish();
      return;
    }
    watchLeader();
    if (gate.isOpen()) {
      seat.take(() -> Duration.ofMillis(chance.nextInt(SEAT_SPREAD_MILLIS + 1)));
    }
    boolean looked = sighting.looked() && priority.isKnown();
    if (looked && gate.isOpen() && candidate.idle() && pause.isOver()) {
      boolean ledJustNow = sighting.ledWithin(ttl, loop.nanoTime());
      candidacy
          .next(sighting, ledJustNow, priority.isFurtherThanLeaders())
          .ifPresent(this::attempt);
    }
  }

  private void watchLeader() {
    Optional<Entry> other = sighting.entry().filter(leader -> !key.isOwn(leader));
    Optional<String> address = sighting.record().map(LeaderRecord::address);
    if (other.isPresent() && address.isPresent()) {
      watch.over(other.get(), address.get());
    } else {
      watch.end();
    }
  }

  private void attempt(Candidacy.Attempt attempt) {
    ask(attempt.what(), attempt.call(), held -> answered(held, attempt.continuous()));
  }

  /** Asks the store for something; nothing else is decided meanwhile. */
  private <T> void ask(String what, Supplier<T> question, Consumer<T> then) {
    role = new Asking();
    asked = loop.nanoTime();
    loop.beside(
        what,
        () -> {
          try {
            T answer = question.get();
            loop.post(() -> then.accept(answer));
          } catch (RuntimeException e) {
            loop.post(() -> noAnswer(what, e));
          }
        });
  }

  private void noAnswer(String what, RuntimeException why) {
    role = new Standby();
    first = false;
    pause.atLeast(RETRY.plus(spread()));
    if (!unanswered) {
      unanswered = true;
      log.warn("leadership: {} failed, trying on: {}", what, why.getMessage());
    }
  }

  /**
   * @param ledThen whether the cluster was led until a moment before the store was asked
   */
  private void answered(Optional<Held> held, boolean ledThen) {
    unanswered = false;
    candidacy.answered();
    if (held.isEmpty()) {
      // Another engine was faster, and the watch is about to show it.
      role = new Standby();
      pause.atLeast(spread());
      return;
    }
    Held won = held.get();
    // Another engine may have led and gone during the request.
    boolean continuous = ledThen || sighting.ledByOtherWithin(won.token(), ttl, loop.nanoTime());
    watch.end();
    confirmed(Duration.ofNanos(loop.nanoTime() - asked));
    LeaderLease lead = new LeaderLease(loop, key, machine, won, this::confirmed, this::lost);
    if (closing) {
      confirmedAt = Optional.empty();
      lead.end();
      role = new GivingBack(lead);
      return;
    }
    role = new Leading(lead);
    lead.say(record().json());
    seat.leads();
    log.info(
        "leadership: this machine leads, token {}{}",
        won.token(),
        continuous ? "" : "; nobody led before");
    boolean direct = rpc || sighting.maySpeakWithin(LONGEST_WAY, loop.nanoTime());
    candidate.lead(new Term(won.token(), continuous, direct));
  }

  private void confirmed(Duration ago) {
    confirmedAt = Optional.of(loop.nanoTime() - ago.toNanos());
  }

  /** Whether no other engine can lead at this moment. */
  boolean isCertain() {
    return confirmedAgo().filter(ago -> ago.compareTo(ttl) < 0).isPresent();
  }

  /** The age of the last confirmed request for this engine's lead; empty if it has none. */
  Optional<Duration> confirmedAgo() {
    return confirmedAt.map(at -> Duration.ofNanos(loop.nanoTime() - at));
  }

  private void lead(Leading leading) {
    if (closing) {
      handOver(leading, "fleetd stops");
    } else if (gate.tooOld().isPresent()) {
      handOver(leading, gate.tooOld().get());
    } else {
      leading.lead.compare(sighting);
    }
  }

  /** The store says that this engine no longer leads. */
  private void lost(String why) {
    log.warn("leadership: this machine leads no more: {}", why);
    confirmedAt = Optional.empty();
    candidate.retire(why);
    role = new Standby();
    pause.atLeast(spread());
  }

  /** Ends this engine's lead while the store would let it go on. */
  private void handOver(Leading leading, String why) {
    log.info("leadership: this machine gives the lead back: {}", why);
    confirmedAt = Optional.empty();
    leading.lead.end();
    candidate.retire(why);
    role = new GivingBack(leading.lead);
    decide();
  }

  private void giveBack(GivingBack giving) {
    if (candidate.idle() || overdue) {
      role = new Asking();
      giving.lead.giveBack(() -> role = new Standby());
    }
  }

  /** The leader's process has ended, while its lease lives on. */
  private void processEnded(long token) {
    dead = Optional.of(token);
    if (proving || !gate.isOpen() || !sighting.hasToken(token)) {
      return;
    }
    proving = true;
    loop.postAfter(
        seat.isTaken() ? Duration.ZERO : spread(),
        () -> {
          proving = false;
          if (role instanceof Standby && !closing && sighting.hasToken(token)) {
            first = true;
            ask(
                "revocation",
                () -> key.depose(token, Election::refuses),
                done -> deposed(token, done));
          }
        });
  }

  /** Read again: the last view may be old if this process was frozen. */
  private static boolean refuses(Entry leader) {
    return HostPort.parse(LeaderRecord.of(leader).address())
        .filter(LeaderProbe::refuses)
        .isPresent();
  }

  private void deposed(long token, boolean done) {
    role = new Standby();
    if (done) {
      log.info(
          "leadership: the leader's process has ended: its machine refuses connections; revoked its"
              + " lease");
      return;
    }
    first = false;
    if (sighting.entry().isEmpty()) {
      pause.atLeast(turn(token));
    }
  }

  private void finish() {
    if (candidate.idle() || overdue) {
      watch.end();
      clusterKey.close();
      leaderKey.close();
      priority.close();
      seat.close();
      port.close();
      loop.close();
      ended.complete(null);
    }
  }

  private void cannotLead(String why) {
    Duration rest = FIRST_REST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    log.warn(
        "leadership: the engine could not take the lead and tries again in {} s: {}",
        rest.toSeconds(),
        why);
    pause.atLeast(rest.plus(spread()));
    if (role instanceof Leading leading) {
      handOver(leading, "its engine cannot lead");
    }
  }
}

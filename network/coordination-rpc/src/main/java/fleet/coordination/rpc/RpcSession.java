package fleet.coordination.rpc;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.DuplicateMachine;
import fleet.coordination.EventLoop;
import fleet.coordination.PendingBids;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.rpc.CandidateAddresses;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.OfferMessages;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.Acknowledged;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Hello;
import fleet.rpc.v1.Leave;
import fleet.rpc.v1.Occupied;
import fleet.rpc.v1.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine's membership over RPC: one stream to the leader after the other, on one loop. Safe for
 * use by many threads.
 */
final class RpcSession implements AgentCoordination.Session {

  private static final Logger log = LoggerFactory.getLogger(RpcSession.class);

  /** How long a leaving machine looks for a leader to tell. */
  private static final Duration FAREWELL = Duration.ofSeconds(4);

  /** Short for one unit, and long when many change. */
  private static final Duration GATHERING = Duration.ofMillis(25);

  private static final Duration SHORTEST_GREETING = Duration.ofSeconds(5);

  /**
   * When thousands come at once, a greeting takes time; giving up too soon makes it longer for all.
   */
  private static final int MOST_DOUBLINGS = 2;

  private final EventLoop loop;
  private final StreamConnector dialer;
  private final HighestToken tokens;
  private final Duration ttl;
  private final String id;
  private final Consumer<String> onFatal;
  private final Supplier<RpcAgentCoordination.Observer> observer;
  private final ScheduleFollower follower;
  private final Answerer answerer;
  private final LeaderDiscovery discovery;
  private final KnownSchedule schedule;
  private final OutgoingReports reports;
  private final CompletableFuture<Boolean> left = new CompletableFuture<>();
  private final AtomicBoolean open = new AtomicBoolean(true);
  private Machine machine;

  /** The machine as it was in the last hello. */
  private Machine introduced;

  private Optional<Leave> leaving = Optional.empty();
  private final DuplicateMachine duplicate;
  private @Nullable LeaderStream stream;
  private @Nullable IncomingQuestions answers;
  private final PendingBids biddings;
  private boolean scheduled;
  private boolean gathering;
  private boolean lostSaid;
  private int unwelcome;
  private boolean over;

  RpcSession(
      EventLoop loop,
      CandidateAddresses addresses,
      StreamConnector dialer,
      HighestToken tokens,
      RandomGenerator chance,
      Duration ttl,
      Machine machine,
      String id,
      ScheduleFollower follower,
      Answerer answerer,
      Consumer<String> onFatal,
      Supplier<RpcAgentCoordination.Observer> observer) {
    this.loop = loop;
    this.dialer = dialer;
    this.tokens = tokens;
    this.ttl = ttl;
    this.machine = machine;
    this.duplicate = new DuplicateMachine(loop, machine.id(), ttl);
    this.introduced = machine;
    this.id = id;
    this.follower = follower;
    this.answerer = answerer;
    this.onFatal = onFatal;
    this.observer = observer;
    this.schedule = new KnownSchedule(follower);
    this.reports = new OutgoingReports(schedule::has);
    this.biddings = new PendingBids(loop, answerer, this::bid);
    this.discovery = new LeaderDiscovery(loop, addresses, chance, this::tryAt);
    discovery.next();
  }

  // ---- what the agent says

  @Override
  public void report(List<AgentReport> told) {
    List<AgentReport> kept = List.copyOf(told);
    loop.post(() -> {
      reports.report(kept);
      sendReports();
    });
  }

  /** Reports that come within a moment of a message share the next one. */
  private void sendReports() {
    LeaderStream current = stream;
    while (!gathering && current != null && current.isWelcomed() && current.isReady()) {
      var next = reports.next();
      if (next.isEmpty()) {
        return;
      }
      current.send(FromAgent.newBuilder().setReports(next.get()));
      gathering = !reports.areMany();
      if (gathering) {
        loop.postAfter(GATHERING, this::sendGathered);
      }
    }
  }

  private void sendGathered() {
    gathering = false;
    sendReports();
  }

  @Override
  public void present(Machine changed) {
    loop.post(() -> {
      machine = changed;
      welcomed().ifPresent(this::describe);
    });
  }

  private void describe(LeaderStream to) {
    to.send(FromAgent.newBuilder().setMachine(MachineMessages.message(machine)));
  }

  /** A lost bid is made again at the next offer. */
  private void bid(Bid bid) {
    welcomed()
        .ifPresent(
            current -> current.send(FromAgent.newBuilder().setBid(OfferMessages.message(bid))));
  }

  private Optional<LeaderStream> welcomed() {
    return Optional.ofNullable(stream).filter(LeaderStream::isWelcomed);
  }

  @Override
  public void leave(boolean emptied) {
    if (!open.compareAndSet(true, false)) {
      return;
    }
    loop.post(() -> {
      Leave farewell = Leave.newBuilder().setEmptied(emptied).build();
      leaving = Optional.of(farewell);
      welcomed().ifPresent(current -> current.send(FromAgent.newBuilder().setLeave(farewell)));
      loop.postAfter(FAREWELL, () -> left.complete(false));
    });
    boolean told = left.join();
    end();
    if (told) {
      log.info("coordination: machine {} has left the cluster", machine.id());
    } else {
      log.warn(
          "coordination: no leader heard that this machine leaves; it will notice the silence");
    }
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      end();
    }
  }

  private void end() {
    loop.call(() -> {
      over = true;
      discovery.close();
      if (answers != null) {
        answers.end();
      }
      biddings.end();
      if (stream != null) {
        stream.end();
      }
      return true;
    });
    loop.close();
  }

  // ---- one stream after the other

  private void tryAt(HostPort address) {
    if (over || stream != null) {
      return;
    }
    var begun = new LeaderStream(loop, ttl, greeting(), address, new Events());
    stream = begun;
    scheduled = false;
    schedule.begin();
    answers =
        new IncomingQuestions(
            loop,
            answerer,
            piece -> begun.send(FromAgent.newBuilder().setPiece(piece)),
            begun::isReady);
    begun.open(dialer, this::hello);
  }

  private Duration greeting() {
    Duration half = ttl.dividedBy(2);
    Duration shortest = half.compareTo(SHORTEST_GREETING) > 0 ? half : SHORTEST_GREETING;
    return shortest.multipliedBy(1L << Math.min(unwelcome, MOST_DOUBLINGS));
  }

  private Hello hello() {
    introduced = machine;
    return Hello.newBuilder()
        .setVersion(StreamVersion.CURRENT)
        .setOldest(StreamVersion.OLDEST)
        .setMachine(MachineMessages.message(machine))
        .setSession(id)
        .setTtlMillis(ttl.toMillis())
        .setStore(schedule.store())
        .setToken(tokens.of(schedule.store()))
        .addAllKnown(schedule.known())
        .build();
  }

  private void heard(LeaderStream from, FromLeader message) throws MalformedMessageException {
    if (message.hasElsewhere()) {
      HostPort.parse(message.getElsewhere().getAddress())
          .filter(address -> !address.equals(from.address()))
          .ifPresent(discovery::hint);
      from.leave("it does not lead");
      unwelcome = 0;
      return;
    }
    if (!tokens.admits(message.getStore(), message.getToken())) {
      log.warn(
          "coordination: {} speaks with token {}, and a leader with token {} has been heard of; it"
              + " is not obeyed",
          from.address(),
          message.getToken(),
          tokens.of(message.getStore()));
      from.leave("it leads no more");
      return;
    }
    switch (message.getSaidCase()) {
      case WELCOME -> welcomed(from, message.getWelcome());
      case SCHEDULE -> scheduled(from, message);
      case ACKNOWLEDGED -> {
        Acknowledged said = message.getAcknowledged();
        from.answered(said.getNumber(), Duration.ofMillis(said.getNextMillis()));
        if (said.getAuthorities() != 0) {
          observer
              .get()
              .trusts(
                  said.getAuthorities(),
                  Duration.ofMillis(Integer.toUnsignedLong(said.getAskWithinMillis())));
        }
      }
      case REPORTS_TAKEN -> {
        reports.taken(message.getReportsTaken().getNumber());
        sendReports();
      }
      case ASK -> withAnswers(asked -> asked.asked(message.getAsk()));
      case PIECES_TAKEN ->
          withAnswers(asked ->
              asked.taken(message.getPiecesTaken().getId(), message.getPiecesTaken().getCount()));
      case CLOSE_ANSWER -> withAnswers(asked -> asked.closed(message.getCloseAnswer().getId()));
      case OFFER -> biddings.offered(OfferMessages.offer(message.getOffer()));
      case WITHDRAW -> biddings.withdrawn(UnitNames.of(message.getWithdraw()));
      case OCCUPIED -> occupied(from, message.getOccupied());
      case REFUSED -> refused(from, message.getRefused().getWhy());
      case LEFT -> {
        over = true;
        discovery.close();
        left.complete(true);
      }
      case ELSEWHERE, SAID_NOT_SET -> {}
    }
  }

  private void withAnswers(Consumer<IncomingQuestions> work) {
    if (answers != null) {
      work.accept(answers);
    }
  }

  private void welcomed(LeaderStream from, Welcome welcome) {
    log.info(
        "coordination: machine {} is part of the cluster, on a stream to the leader at {}",
        machine.id(),
        from.address());
    duplicate.gone();
    lostSaid = false;
    unwelcome = 0;
    discovery.succeeded();
    observer.get().spoken(Optional.empty());
    from.welcome();
    if (!machine.equals(introduced)) {
      describe(from);
    }
    reports.begin(welcome.getReportsTaken());
    leaving.ifPresent(farewell -> from.send(FromAgent.newBuilder().setLeave(farewell)));
    sendReports();
  }

  private void scheduled(LeaderStream from, FromLeader message) throws MalformedMessageException {
    schedule
        .take(message.getStore(), message.getSchedule())
        .ifPresent(units -> {
          reports.scheduleChanged(units);
          sendReports();
          if (!scheduled) {
            scheduled = true;
            follower.acknowledged(from.sinceHello());
          }
        });
  }

  // ---- when it cannot go on

  private void occupied(LeaderStream from, Occupied there) {
    from.leave("the machine's id is taken");
    follower.occupied();
    String named = DuplicateMachine.named(there.getPublicIp(), there.getBootId());
    Duration its = Duration.ofMillis(there.getTtlMillis());
    if (!duplicate.present(there.getBootId(), its, named).isPositive()) {
      fail(duplicate.complaint(named));
    }
  }

  private void refused(LeaderStream from, String why) {
    from.leave("refused");
    fail("the leader at %s refuses this machine: %s".formatted(from.address(), why));
  }

  private void fail(String why) {
    if (!over) {
      over = true;
      discovery.close();
      log.error("{}", why);
      onFatal.accept(why);
    }
  }

  private void lost(LeaderStream ended, String why) {
    boolean wasThere = ended.isKnown();
    if (!wasThere) {
      unwelcome++;
    }
    if (wasThere && !lostSaid) {
      lostSaid = true;
      log.warn(
          "coordination: the stream to the leader at {} has ended: {}; looking for the leader",
          ended.address(),
          why);
    } else {
      log.debug("coordination: no stream to {}: {}", ended.address(), why);
    }
    if (answers != null) {
      answers.end();
    }
    biddings.end();
    stream = null;
    observer.get().spoken(Optional.of("%s: %s".formatted(ended.address(), why)));
    discovery.next();
  }

  private final class Events implements LeaderStream.Owner {

    @Override
    public void heard(LeaderStream from, FromLeader message) {
      try {
        RpcSession.this.heard(from, message);
      } catch (MalformedMessageException e) {
        log.error(
            "coordination: unexpected message of the leader at {}: {}",
            from.address(),
            e.getMessage());
        from.leave("it does not speak as it should");
      }
    }

    @Override
    public void ready(LeaderStream of) {
      sendReports();
      withAnswers(IncomingQuestions::ready);
    }

    @Override
    public void acknowledged(LeaderStream by, Duration ago) {
      if (scheduled) {
        follower.acknowledged(ago);
      }
    }

    @Override
    public void ended(LeaderStream ended, String why) {
      if (!over && ended.equals(stream)) {
        lost(ended, why);
      }
    }
  }
}

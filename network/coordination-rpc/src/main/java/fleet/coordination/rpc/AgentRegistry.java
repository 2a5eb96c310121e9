package fleet.coordination.rpc;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.text.SingleLine;
import fleet.core.unit.UnitName;
import fleet.rpc.RpcPeer;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.OfferMessages;
import fleet.rpc.message.ReportMessages;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.Elsewhere;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Hello;
import fleet.rpc.v1.Known;
import fleet.rpc.v1.Left;
import fleet.rpc.v1.Occupied;
import fleet.rpc.v1.Refused;
import fleet.rpc.v1.Report;
import fleet.rpc.v1.Reports;
import fleet.rpc.v1.Welcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machines that hold a stream to this leader in one of its terms, and what each was sent.
 * Belongs to its loop.
 */
final class AgentRegistry {

  private static final Logger log = LoggerFactory.getLogger(AgentRegistry.class);

  /** How often to check for silence when a machine may be given up soon. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** The longest interval of these checks. */
  private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

  /** A machine's new fleetd has reported all it has by then. */
  private static final Duration TAKING_STOCK = Duration.ofSeconds(10);

  private static final int LONGEST_ID = 255;
  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_TTL = Duration.ofHours(1);

  private final EventLoop loop;
  private final String store;
  private final Leadership.Term term;
  private final EngineCoordination.Listener listener;
  private final BooleanSupplier certain;
  private final Supplier<TrustNews> trust;
  private final Map<String, Member> members = new HashMap<>();

  /** The first that came; all others should be configured alike. */
  private Optional<Member> first = Optional.empty();

  private boolean differenceTold;

  /** No machine can be silent for too long before this time. */
  private long nextEnd;

  private boolean untold;
  private volatile boolean over;

  AgentRegistry(
      EventLoop loop,
      String store,
      Leadership.Term term,
      EngineCoordination.Listener listener,
      BooleanSupplier certain,
      Supplier<TrustNews> trust) {
    this.loop = loop;
    this.store = store;
    this.term = term;
    this.listener = new AdmissionQueue(loop, listener);
    this.certain = certain;
    this.trust = trust;
    this.nextEnd = loop.nanoTime() + LONGEST_TTL.toNanos();
    tickAfter(TICK);
  }

  /** Whether nobody else can lead at this moment. On any thread. */
  boolean isCertain() {
    return !over && certain.getAsBoolean();
  }

  /** Signs a message with who says it. On any thread. */
  FromLeader.Builder signed(FromLeader.Builder message) {
    return message.setStore(store).setToken(term.token());
  }

  /** News of the authorities that the cluster believes. On any thread. */
  TrustNews trust() {
    return trust.get();
  }

  Optional<AgentStream> stream(String machine) {
    return Optional.ofNullable(members.get(machine)).flatMap(Member::stream);
  }

  /** The machines whose certificates are not those of servers, also while they are silent. */
  Set<String> agents() {
    return members.entrySet().stream()
        .filter(member -> member.getValue().isAgent())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** This engine no longer leads; connected machines look for the next leader. */
  void end() {
    over = true;
    for (Member member : List.copyOf(members.values())) {
      member.stream()
          .ifPresent(stream ->
              stream.end(FromLeader.newBuilder().setElsewhere(Elsewhere.getDefaultInstance())));
    }
    members.clear();
  }

  // ---- what machines are told

  /**
   * A message may not be sent now, since the lead is uncertain; it is retried. To be called on the
   * loop.
   */
  void untold() {
    if (!untold) {
      untold = true;
      loop.postAfter(TICK, this::tell);
    }
  }

  private void tell() {
    untold = false;
    members.values().forEach(member -> member.stream().ifPresent(AgentStream::tell));
  }

  // ---- what machines say

  void heard(AgentStream stream, FromAgent message) {
    Optional<Member> member = stream.member();
    member.ifPresent(speaking -> speaking.heard(loop.nanoTime()));
    try {
      if (message.hasHello()) {
        hello(stream, message.getHello());
      } else if (member.isEmpty()) {
        throw new MalformedMessageException("the first message is no hello");
      } else {
        heard(stream, member.get(), message);
      }
    } catch (MalformedMessageException e) {
      String who = member.map(it -> it.machine().id()).orElse("an unknown machine");
      log.error("coordination: unexpected message of {}: {}", who, e.getMessage());
      stream.end(FromLeader.newBuilder().setElsewhere(Elsewhere.getDefaultInstance()));
    }
  }

  private void heard(AgentStream stream, Member member, FromAgent message)
      throws MalformedMessageException {
    switch (message.getSaidCase()) {
      case HEARTBEAT -> stream.acknowledge(message.getHeartbeat().getNumber());
      case REPORTS -> {
        reported(member, message.getReports());
        takenIn(stream, message);
      }
      case MACHINE -> {
        descriptionChanged(member, MachineMessages.machine(message.getMachine()));
        takenIn(stream, message);
      }
      case LEAVE -> leaves(stream, member, message.getLeave().getEmptied());
      case PIECE -> stream.questions().heard(message.getPiece());
      case BID -> {
        bid(member, message.getBid());
        takenIn(stream, message);
      }
      case HELLO, SAID_NOT_SET -> {}
    }
  }

  /** Until the engine has processed it, it counts against the machine's limit. */
  private void takenIn(AgentStream stream, FromAgent message) {
    stream.takingIn(message);
    listener.takenIn(() -> loop.post(() -> stream.taken(message)));
  }

  private void reported(Member member, Reports message) throws MalformedMessageException {
    String id = member.machine().id();
    List<AgentReport> reports = new ArrayList<>();
    for (Report report : message.getReportsList()) {
      ReportMessages.report(id, report).ifPresent(reports::add);
    }
    member.note(reports);
    listener.reported(id, reports);
  }

  private void bid(Member member, fleet.rpc.v1.Bid message) throws MalformedMessageException {
    OfferMessages.bid(message).ifPresent(bid -> listener.bid(member.machine().id(), bid));
  }

  private void descriptionChanged(Member member, Machine machine) throws MalformedMessageException {
    if (!machine.id().equals(member.machine().id())
        || !machine.bootId().equals(member.machine().bootId())) {
      throw new MalformedMessageException("it describes itself as another machine");
    }
    Optional<String> objection = machine.objection();
    if (objection.isPresent()) {
      throw new MalformedMessageException(objection.get());
    }
    member.describe(machine);
    listener.present(machine);
  }

  private void leaves(AgentStream stream, Member member, boolean emptied) {
    Machine machine = member.machine();
    members.remove(machine.id());
    listener.left(machine.id(), emptied, "it has left");
    stream.end(FromLeader.newBuilder().setLeft(Left.getDefaultInstance()));
  }

  // ---- who comes and goes

  /** A removed machine sends nothing more. */
  void expel(String machine) {
    Member member = members.remove(machine);
    if (member != null) {
      member.stream().ifPresent(stream -> stream.cut("the machine was removed from the cluster"));
      listener.left(machine, false, "it was removed from the cluster");
    }
  }

  private void hello(AgentStream stream, Hello hello) throws MalformedMessageException {
    Machine machine = MachineMessages.machine(hello.getMachine());
    Optional<String> objection = objection(stream, hello, machine);
    if (objection.isPresent()) {
      log.error(
          "coordination: machine {} is refused: {}",
          SingleLine.of(machine.id(), LONGEST_ID),
          objection.get());
      stream.end(FromLeader.newBuilder().setRefused(Refused.newBuilder().setWhy(objection.get())));
      return;
    }
    if (hello.getStore().equals(store) && hello.getToken() > term.token()) {
      log.warn(
          "coordination: machine {} has heard of a leader with token {}, while this one has {}",
          machine.id(),
          hello.getToken(),
          term.token());
      stream.end(FromLeader.newBuilder().setElsewhere(Elsewhere.getDefaultInstance()));
      return;
    }
    Member there = members.get(machine.id());
    if (there != null && !there.machine().bootId().equals(machine.bootId())) {
      stream.end(FromLeader.newBuilder().setOccupied(occupied(there)));
      return;
    }
    welcome(stream, hello, machine);
  }

  private static Optional<String> objection(AgentStream stream, Hello hello, Machine machine) {
    Optional<RpcPeer> impostor = stream.peer().filter(peer -> !peer.machine().equals(machine.id()));
    return impostor
        .map(peer ->
            "its certificate is machine %s's, and it says that it is %s"
                .formatted(peer.machine(), machine.id()))
        .or(machine::objection)
        .or(() -> StreamVersion.objection(hello));
  }

  private static Occupied occupied(Member there) {
    return occupied(there.machine(), there.ttl());
  }

  private static Occupied occupied(Machine there, Duration ttl) {
    return Occupied.newBuilder()
        .setBootId(there.bootId())
        .setPublicIp(there.publicIp())
        .setTtlMillis(ttl.toMillis())
        .build();
  }

  /** Another machine of this one's id is there in another way; the engine has not taken it in. */
  void occupied(Machine refused, Machine there) {
    Member member = members.get(refused.id());
    if (member != null && member.machine().bootId().equals(refused.bootId())) {
      members.remove(refused.id());
      member.stream()
          .ifPresent(stream ->
              stream.end(FromLeader.newBuilder().setOccupied(occupied(there, member.ttl()))));
    }
  }

  private void welcome(AgentStream stream, Hello hello, Machine machine)
      throws MalformedMessageException {
    Duration ttl = ttl(hello);
    Member member =
        members.computeIfAbsent(
            machine.id(), _ -> new Member(machine, hello.getSession(), ttl, loop.nanoTime()));
    Optional<AgentStream> live = member.stream().filter(before -> !before.equals(stream));
    live.ifPresent(before -> before.cut("the machine speaks on another stream"));
    boolean another = member.takeOver(machine, hello.getSession(), ttl, stream);
    if (another && live.isPresent()) {
      takenOver(machine.id());
    }
    member.heard(loop.nanoTime());
    nextEnd = Math.min(nextEnd, member.endsAt());
    Map<UnitName, Long> known = new HashMap<>();
    for (Known entry : hello.getKnownList()) {
      known.put(UnitNames.of(entry.getUnit()), entry.getRevision());
    }
    stream.serves(
        member,
        this,
        hello.getSession(),
        new OutgoingSchedule(known, !hello.getStore().equals(store)));
    stream.send(
        FromLeader.newBuilder()
            .setWelcome(
                Welcome.newBuilder()
                    .setVersion(StreamVersion.CURRENT)
                    .setReportsTaken(member.reportsTaken())));
    log.debug("coordination: machine {} is on a stream", machine.id());
    listener.present(machine);
    if (another) {
      loop.postAfter(TAKING_STOCK, () -> forget(member, stream));
    }
    first.ifPresentOrElse(
        other -> tellDifference(other, member), () -> first = Optional.of(member));
  }

  /** A machine has one fleetd: the one before ends before the next begins. */
  private void takenOver(String machine) {
    String how = "another fleetd speaks for it, while the one before was still connected";
    log.warn(
        "coordination: machine {} was taken over: {}; if nobody restarted its fleetd, find out"
            + " who connected, and run \"fleetctl machines remove {}\"",
        machine,
        how,
        machine);
    listener.takenOver(machine, how);
  }

  /** Only the leader that a machine has told knows what it does while isolated. */
  private void tellDifference(Member one, Member other) {
    if (!differenceTold && !one.silence().equals(other.silence())) {
      differenceTold = true;
      log.warn(
          "coordination: agent_ttl and on_isolation differ: machine {} has {}, machine {} has {}. A"
              + " new leader waits for silent machines as its own configuration says, and may start"
              + " units elsewhere while one with a longer time still runs them: set both alike on"
              + " all machines",
          one.machine().id(),
          one.silence(),
          other.machine().id(),
          other.silence());
    }
  }

  private static Duration ttl(Hello hello) {
    Duration asked = Duration.ofMillis(Math.clamp(hello.getTtlMillis(), 0, LONGEST_TTL.toMillis()));
    return asked.compareTo(SHORTEST_TTL) < 0 ? SHORTEST_TTL : asked;
  }

  private void forget(Member member, AgentStream stream) {
    if (over || member.stream().filter(stream::equals).isEmpty()) {
      return;
    }
    List<AgentReport> forgotten = new ArrayList<>();
    for (UnitName unit : member.takeForgotten(stream.schedule())) {
      forgotten.add(new AgentReport.Freed(unit));
    }
    if (!forgotten.isEmpty()) {
      listener.reported(member.machine().id(), forgotten);
    }
  }

  // ---- silence

  private void tickAfter(Duration time) {
    long due = loop.nanoTime() + time.toNanos();
    loop.postAfter(
        time,
        () -> {
          if (!over) {
            tick(due);
            tickAfter(untilNextTick());
          }
        });
  }

  /** A late tick shows how long this leader could not hear anything. */
  private void tick(long due) {
    long now = loop.nanoTime();
    long away = now - due - TICK.toNanos();
    if (away > 0) {
      members.values().forEach(member -> member.forgive(away, now));
    }
    if (!isCertain()) {
      // Agents without an answer try other servers, as when the store is away: that is no silence
      // either.
      members.values().forEach(member -> member.heard(now));
    } else if (now - nextEnd >= 0) {
      lookForSilence(now);
    }
  }

  /**
   * Half of what is left: as much time as may have passed unnoticed before a tick that comes late
   * remains at least for what waits to be heard.
   */
  private Duration untilNextTick() {
    Duration half = Duration.ofNanos(nextEnd - loop.nanoTime()).dividedBy(2);
    return Collections.max(List.of(TICK, Collections.min(List.of(half, LONGEST_TICK))));
  }

  /** While thousands speak in time, none is checked before the first of them could end. */
  private void lookForSilence(long now) {
    nextEnd = now + LONGEST_TTL.toNanos();
    List<Member> silent = new ArrayList<>();
    for (Member member : members.values()) {
      AgentStream stream = member.current();
      if (stream != null && stream.isHeldBack()) {
        member.heard(now);
      }
      if (member.endsBySilence(now)) {
        silent.add(member);
      } else {
        nextEnd = Math.min(nextEnd, member.endsAt());
      }
    }
    if (!silent.isEmpty()) {
      // Once for all of them: those that go with the first are doubtful as well.
      members.remove(silent.getFirst().machine().id());
      doubt(now);
    }
    silent.forEach(this::silent);
  }

  private void silent(Member member) {
    Machine machine = member.machine();
    members.remove(machine.id());
    member.stream().ifPresent(stream -> stream.cut("the machine is silent"));
    listener.absent(
        machine.id(), "it has been silent for %d s".formatted(member.ttl().toSeconds()));
  }

  /** Machines that vanish together are silent one after the other, as they spoke before. */
  private void doubt(long now) {
    Set<String> doubtful = new HashSet<>();
    Duration longest = Duration.ZERO;
    for (Member member : members.values()) {
      if (member.isDoubtful(now)) {
        doubtful.add(member.machine().id());
        longest = member.ttl().compareTo(longest) > 0 ? member.ttl() : longest;
      }
    }
    if (!doubtful.isEmpty()) {
      listener.doubtful(doubtful, longest.dividedBy(2).plus(TICK.multipliedBy(2)));
    }
  }
}

package fleet.coordination.rpc;

import fleet.coordination.EventLoop;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.Acknowledged;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Reports;
import fleet.rpc.v1.ReportsTaken;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One agent's stream, at the leader's end. Incoming messages go to the loop, and the agent may send
 * more once they are processed; if much waits for the engine, once the engine has processed them.
 * Answers wait until the stream takes them, only the newest of each kind. So an agent that floods
 * slows down only itself. Belongs to its loop.
 */
final class AgentStream implements MessageStream.Listener<FromAgent> {

  /** How many bytes may wait for the engine; an agent that behaves sends fewer. */
  private static final int MOST_UNTAKEN = 1 << 20;

  /** The memory that a message takes here beyond its own size, in bytes. */
  private static final int MESSAGE = 256;

  private static final long NONE = -1;

  /**
   * The acknowledgement of reports goes out with the next message, at the latest with the answer to
   * the next heartbeat, or once this many are due: an agent may have this many in flight. With many
   * machines that start a unit now and then, that saves a third of all messages.
   */
  private static final int MOST_TAKEN_UNTOLD = 2;

  /** The parts that answer heartbeats, outside the loop. */
  private record Heartbeats(HeartbeatTracker heartbeats, Duration ttl, AgentRegistry voice) {}

  private final EventLoop loop;
  private final RpcEngineCoordination owner;
  private final MessageStream<FromLeader> stream;
  private final Optional<RpcPeer> peer;
  private final OutgoingQuestions questions;
  private @Nullable Member member;
  private volatile @Nullable Heartbeats heart;
  private String session = "";
  private OutgoingSchedule schedule = new OutgoingSchedule(Map.of(), true);
  private boolean greeted;
  private long untaken;
  private final AtomicLong untold = new AtomicLong();
  private final AtomicLong unacknowledged = new AtomicLong(NONE);
  private int takenUntold;
  private boolean heldBack;
  private boolean over;

  AgentStream(
      EventLoop loop,
      RpcEngineCoordination owner,
      MessageStream<FromLeader> stream,
      Optional<RpcPeer> peer) {
    this.loop = loop;
    this.owner = owner;
    this.stream = stream;
    this.peer = peer;
    this.questions = new OutgoingQuestions(loop, this::machine, this::send);
  }

  // ---- what comes in, on threads of the stream

  /**
   * A heartbeat is answered at once if the machine is not given up: a busy leader is not dead, and
   * thousands of quiet machines wake only their connections.
   */
  @Override
  public void heard(FromAgent message) {
    Heartbeats beats = heart;
    if (message.hasHeartbeat() && beats != null && beats.heartbeats().beat(loop.nanoTime())) {
      acknowledge(message.getHeartbeat().getNumber(), beats);
      stream.next();
      return;
    }
    loop.post(() -> {
      if (over) {
        return;
      }
      owner.heard(this, message);
      if (untaken >= MOST_UNTAKEN) {
        heldBack = true;
      } else {
        stream.next();
      }
    });
  }

  @Override
  public void ready() {
    Heartbeats beats = heart;
    if (beats != null) {
      answer(beats);
    }
    loop.post(this::tell);
  }

  @Override
  public void ended(String why) {
    loop.post(() -> {
      if (!over) {
        finish();
        owner.ended(this, why);
      }
    });
  }

  // ---- on the loop

  Optional<RpcPeer> peer() {
    return peer;
  }

  private String machine() {
    return member().map(speaking -> speaking.machine().id()).orElse("");
  }

  Optional<Member> member() {
    return Optional.ofNullable(member);
  }

  /** From now on this is that machine's stream. */
  void serves(Member machine, AgentRegistry voice, String of, OutgoingSchedule outgoing) {
    member = machine;
    heart = new Heartbeats(machine.heartbeats(), machine.ttl(), voice);
    session = of;
    schedule = outgoing;
  }

  OutgoingSchedule schedule() {
    return schedule;
  }

  OutgoingQuestions questions() {
    return questions;
  }

  Answer ask(Question question) {
    return questions.ask(question);
  }

  /** Whether the machine sends more than the engine takes, and is not read for now. */
  boolean isHeldBack() {
    return heldBack;
  }

  /** Whether this is the first hello, as each stream has one. */
  boolean greets() {
    boolean first = !greeted;
    greeted = true;
    return first;
  }

  /** The engine is about to take in what the message says. */
  void takingIn(FromAgent message) {
    untaken += weight(message);
  }

  private static int weight(FromAgent message) {
    return message.getSerializedSize() + MESSAGE;
  }

  /** The engine has taken in what the message says. */
  void taken(FromAgent message) {
    untaken -= weight(message);
    if (message.hasReports()) {
      taken(message.getReports());
    }
    if (heldBack && untaken < MOST_UNTAKEN) {
      heldBack = false;
      // A machine that was not read was not silent.
      member().ifPresent(machine -> machine.heard(loop.nanoTime()));
      stream.next();
    }
  }

  private void taken(Reports reports) {
    member().ifPresent(machine -> machine.taken(session, reports.getNumber()));
    untold.set(reports.getNumber());
    takenUntold++;
    Heartbeats beats = heart;
    if (takenUntold >= MOST_TAKEN_UNTOLD && beats != null) {
      takenUntold = 0;
      tellTaken(beats.voice());
    }
  }

  /**
   * A heartbeat is to be answered once the stream takes it, and with it those before. Any thread.
   */
  void acknowledge(long number) {
    Heartbeats beats = heart;
    if (beats != null) {
      acknowledge(number, beats);
    }
  }

  private void acknowledge(long number, Heartbeats beats) {
    unacknowledged.set(number);
    answer(beats);
  }

  /**
   * Only a leader for certain may: the machine counts on being part of the cluster. On any thread.
   */
  private void answer(Heartbeats beats) {
    if (stream.isReady() && beats.voice().isCertain()) {
      tellTaken(beats.voice());
      long number = unacknowledged.getAndSet(NONE);
      if (number != NONE) {
        stream.send(
            beats
                .voice()
                .signed(FromLeader.newBuilder().setAcknowledged(acknowledgement(number, beats)))
                .build());
      }
    }
  }

  private Acknowledged.Builder acknowledgement(long number, Heartbeats beats) {
    Duration next = HeartbeatSchedule.next(beats.ttl(), loop.nanoTime());
    TrustNews trust = beats.voice().trust();
    return Acknowledged.newBuilder()
        .setNumber(number)
        .setNextMillis((int) next.toMillis())
        .setAuthorities(trust.authorities())
        .setAskWithinMillis((int) trust.within().toMillis());
  }

  /** Sends deferred acknowledgements. On any thread: the newest counts, even out of order. */
  private void tellTaken(AgentRegistry voice) {
    long number = stream.isReady() ? untold.getAndSet(0) : 0;
    if (number > 0) {
      stream.send(
          voice
              .signed(
                  FromLeader.newBuilder()
                      .setReportsTaken(ReportsTaken.newBuilder().setNumber(number)))
              .build());
    }
  }

  void send(FromLeader.Builder message) {
    Heartbeats beats = heart;
    if (beats != null) {
      tellTaken(beats.voice());
    }
    takenUntold = 0;
    pass(message);
  }

  private void pass(FromLeader.Builder message) {
    if (!over) {
      stream.send(owner.signed(message).build());
    }
  }

  /** Tells what is new of the schedule after a change to it. */
  void tell(Consumer<OutgoingSchedule> change) {
    change.accept(schedule);
    tell();
  }

  /** Tells what is new of the schedule, as far as the stream takes it. */
  void tell() {
    Heartbeats beats = heart;
    while (beats != null && schedule.isDue() && stream.isReady()) {
      if (!beats.voice().isCertain()) {
        beats.voice().untold();
        return;
      }
      send(FromLeader.newBuilder().setSchedule(schedule.take()));
    }
  }

  /** Says a last thing. */
  void end(FromLeader.Builder last) {
    send(last);
    finish();
    stream.end();
  }

  void cut(String why) {
    if (!over) {
      finish();
      stream.cut(why);
    }
  }

  private void finish() {
    over = true;
    heart = null;
    questions.end();
    member().ifPresent(machine -> machine.lost(this));
  }
}

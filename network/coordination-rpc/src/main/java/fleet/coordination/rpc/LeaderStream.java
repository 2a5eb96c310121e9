package fleet.coordination.rpc;

import fleet.coordination.EventLoop;
import fleet.coordination.HeartbeatInterval;
import fleet.core.machine.HostPort;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Heartbeat;
import fleet.rpc.v1.Hello;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the leader, at the agent's end: sends hello and heartbeats, and notices missing
 * answers. Belongs to its loop.
 */
final class LeaderStream implements MessageStream.Listener<FromLeader> {

  /** Hears on the loop. */
  interface Owner {

    void heard(LeaderStream stream, FromLeader message);

    /** The stream takes more. */
    void ready(LeaderStream stream);

    /** The leader has acknowledged a message of this age. */
    void acknowledged(LeaderStream stream, Duration ago);

    /** The end of the stream. */
    void ended(LeaderStream stream, String why);
  }

  private final EventLoop loop;
  private final Duration ttl;
  private final Duration greeting;
  private final HostPort address;
  private final Owner owner;
  private @Nullable MessageStream<FromAgent> stream;
  private long helloSent;
  private long beats;

  /** Heartbeats, the oldest first. */
  private final Deque<Awaited> unanswered = new ArrayDeque<>();

  private EventLoop.@Nullable Timer nextBeat;
  private boolean welcomed;
  private boolean over;

  /**
   * A heartbeat on its way.
   *
   * @param patience ends the stream if it is not answered
   */
  private record Awaited(long number, long sent, EventLoop.Timer patience) {}

  /**
   * @param greeting how long to wait for an answer to the hello
   */
  LeaderStream(EventLoop loop, Duration ttl, Duration greeting, HostPort address, Owner owner) {
    this.loop = loop;
    this.ttl = ttl;
    this.greeting = greeting;
    this.address = address;
    this.owner = owner;
  }

  /**
   * @param hello made when it can be said
   */
  void open(StreamConnector dialer, Supplier<Hello> hello) {
    loop.beside(
        "dialing the leader",
        () -> {
          try {
            MessageStream<FromAgent> opened = dialer.dial(address, this);
            loop.post(() -> opened(opened, hello));
          } catch (IOException e) {
            ended(String.valueOf(e.getMessage()));
          }
        });
    loop.postAfter(
        greeting,
        () -> {
          if (!welcomed) {
            leave("no answer within %d s".formatted(greeting.toSeconds()));
          }
        });
  }

  private void opened(MessageStream<FromAgent> opened, Supplier<Hello> hello) {
    stream = opened;
    if (over) {
      opened.cut("not wanted any more");
      return;
    }
    helloSent = loop.nanoTime();
    send(FromAgent.newBuilder().setHello(hello.get()));
  }

  HostPort address() {
    return address;
  }

  /** Whether it has led to the leader. */
  boolean isKnown() {
    return welcomed;
  }

  boolean isWelcomed() {
    return welcomed && !over;
  }

  /** Since when the leader knows this machine. */
  Duration sinceHello() {
    return Duration.ofNanos(loop.nanoTime() - helloSent);
  }

  void send(FromAgent.Builder message) {
    if (!over && stream != null) {
      stream.send(message.build());
    }
  }

  boolean isReady() {
    return !over && stream != null && stream.isReady();
  }

  // ---- heartbeats

  /** The leader has taken the machine in. */
  void welcome() {
    welcomed = true;
    beatAfter(HeartbeatInterval.of(ttl));
  }

  private void beatAfter(Duration time) {
    nextBeat =
        loop.postAfter(
            time,
            () -> {
              if (!over) {
                beat();
                beatAfter(HeartbeatInterval.of(ttl));
              }
            });
  }

  private void beat() {
    long number = ++beats;
    long sent = loop.nanoTime();
    send(FromAgent.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNumber(number)));
    EventLoop.Timer patience =
        loop.postAfter(HeartbeatInterval.patience(ttl), () -> leave("the leader does not answer"));
    unanswered.add(new Awaited(number, sent, patience));
  }

  /**
   * The leader has answered a heartbeat, and with it those before.
   *
   * @param next the wanted time of the next one; zero if unset
   */
  void answered(long number, Duration next) {
    while (!unanswered.isEmpty() && unanswered.getFirst().number() <= number) {
      Awaited beat = unanswered.removeFirst();
      beat.patience().cancel();
      if (beat.number() == number) {
        owner.acknowledged(this, Duration.ofNanos(loop.nanoTime() - beat.sent()));
        keepPace(next);
      }
    }
  }

  private void keepPace(Duration next) {
    if (!over
        && unanswered.isEmpty()
        && nextBeat != null
        && HeartbeatSchedule.isReasonable(next, ttl)) {
      nextBeat.cancel();
      beatAfter(next);
    }
  }

  // ---- what comes in, on threads of the stream

  @Override
  public void heard(FromLeader message) {
    loop.post(() -> {
      if (!over) {
        owner.heard(this, message);
        if (stream != null) {
          stream.next();
        }
      }
    });
  }

  @Override
  public void ready() {
    loop.post(() -> {
      if (!over) {
        owner.ready(this);
      }
    });
  }

  @Override
  public void ended(String why) {
    loop.post(() -> leave(why));
  }

  // ---- its end

  /** Gives it up. */
  void leave(String why) {
    if (!over) {
      over = true;
      if (stream != null) {
        stream.cut(why);
      }
      owner.ended(this, why);
    }
  }

  /** Closes it in order; no more events follow. The next process has the whole TTL. */
  void end() {
    if (!over) {
      if (welcomed) {
        send(FromAgent.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNumber(++beats)));
      }
      over = true;
      if (stream != null) {
        stream.end();
      }
    }
  }
}

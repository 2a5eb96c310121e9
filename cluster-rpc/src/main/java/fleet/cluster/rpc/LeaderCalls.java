package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.core.fault.SystemCallFault;
import fleet.core.machine.HostPort;
import fleet.rpc.RpcChannels;
import fleet.rpc.message.MalformedMessageException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientStreamTracer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls whoever leads, and whoever leads next where that changes meanwhile. Safe for use by many
 * threads.
 */
final class LeaderCalls implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaderCalls.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LAST_PAUSE = Duration.ofMillis(500);

  private final Leaders leaders;
  private final RpcChannels channels;
  private final Duration patience;
  private @Nullable Way way;
  private boolean closed;

  private record Way(HostPort address, ManagedChannel channel) {}

  /** One attempt. */
  interface Call<T> {
    T on(Channel channel, CallOptions options)
        throws StatusException, InterruptedException, TimeoutException, MalformedMessageException;
  }

  /**
   * Calls.
   *
   * @param patience for how long a leader is looked for
   */
  LeaderCalls(Leaders leaders, RpcChannels channels, Duration patience) {
    this.leaders = leaders;
    this.channels = channels;
    this.patience = patience;
  }

  /** What came of a call that was repeated until it was answered. */
  record Repeated<T>(T result, boolean perhapsDoneBefore) {}

  /** Calls, and calls again where contact is lost: for what may be done twice. */
  <T> T repeat(Call<T> call) {
    return call(call, true, patience).result();
  }

  /** The same, with another patience. */
  <T> T repeatWithin(Duration other, Call<T> call) {
    return call(call, true, other).result();
  }

  /** The same; says as well whether an earlier attempt may have done it. */
  <T> Repeated<T> repeatKnowingly(Call<T> call) {
    return call(call, true, patience);
  }

  /** Calls, and calls again only where it is certain that nothing was done yet. */
  <T> T once(Call<T> call) {
    return call(call, false, patience).result();
  }

  private <T> Repeated<T> call(Call<T> call, boolean again, Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    Duration pause = FIRST_PAUSE;
    boolean perhapsDone = false;
    while (true) {
      Leaders.Sighting leader = leaders.last();
      String problem;
      try {
        return new Repeated<>(attempt(leader, call), perhapsDone);
      } catch (NotLeadingException e) {
        problem = "no engine leads, as far as is known here: " + e.getMessage();
      } catch (LostContactException e) {
        problem = Objects.requireNonNullElse(e.getMessage(), "contact was lost");
        perhapsDone |= e.perhapsDone();
        if (e.perhapsDone() && !again) {
          throw new ClusterUnavailableException(
              problem
                  + "; whether it was done is not known: look, and do it again where it was not",
              e);
        }
      }
      log.debug("asking the leader again: {}", problem);
      // Also before it is given up: who asks once more is to ask the leader of by then.
      pause(leader, pause);
      if (System.nanoTime() - deadline >= 0) {
        throw new ClusterUnavailableException(problem);
      }
      pause = pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0 ? pause.multipliedBy(2) : LAST_PAUSE;
    }
  }

  private void pause(Leaders.Sighting leader, Duration atMost) {
    try {
      leaders.awaitOther(leader, atMost);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private <T> T attempt(Leaders.Sighting leader, Call<T> call) throws LostContactException {
    HostPort address =
        leader.address().orElseThrow(() -> new NotLeadingException("nobody is heard of"));
    ManagedChannel channel = channel(address);
    Sent sent = new Sent();
    try {
      return call.on(channel, CallOptions.DEFAULT.withStreamTracerFactory(sent));
    } catch (StatusException e) {
      throw lost(address, e, sent);
    } catch (TimeoutException e) {
      drop(address);
      throw new LostContactException("the leader at " + address + " is silent", true, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (MalformedMessageException e) {
      throw new ClusterUnavailableException(
          "what the leader at %s answers is not understood here: %s"
              .formatted(address, e.getMessage()),
          e);
    }
  }

  static ClusterUnavailableException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ClusterUnavailableException("interrupted", e);
  }

  /** Whether a leader can have something to tell again, be it this one or the next. */
  static boolean mayGoOn(StatusException e) {
    return Said.by(e).isPresent()
        || switch (e.getStatus().getCode()) {
          case UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL, ABORTED -> true;
          default -> false;
        };
  }

  /** Throws what was said, or returns how contact was lost. */
  private LostContactException lost(HostPort address, StatusException e, Sent sent) {
    Status status = e.getStatus();
    String text = text(status);
    Optional<Said> said = Said.by(e);
    if (said.isPresent()) {
      throw said.get() == Said.ELSEWHERE
          ? new NotLeadingException(text)
          : new ClusterUnavailableException(text, e);
    }
    if (mayGoOn(e)) {
      drop(address);
      return new LostContactException(
          "the leader at " + address + " cannot be reached: " + text, sent.happened(), e);
    }
    throw switch (status.getCode()) {
      case UNIMPLEMENTED ->
          new ClusterUnavailableException(
              "fleetd of the leader at " + address + " does not answer others: upgrade it", e);
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          new ClusterUnavailableException(
              "the leader at " + address + " refuses this machine: " + text, e);
      default -> new ClusterUnavailableException("the leader at " + address + ": " + text, e);
    };
  }

  /** Without what gRPC writes below the first line, which is about its own inside. */
  static String text(Status status) {
    String text =
        Objects.requireNonNullElse(status.getDescription(), "")
            .lines()
            .findFirst()
            .orElse(status.getCode().name());
    return because(status).map(why -> text + ": " + why).orElse(text);
  }

  /** What gRPC calls an "io exception" is more than that. */
  private static Optional<String> because(Status status) {
    return Stream.iterate(status.getCause(), Objects::nonNull, Throwable::getCause)
        .reduce((_, deeper) -> deeper)
        .map(Throwable::getMessage)
        .map(SystemCallFault::plain)
        .flatMap(why -> why.lines().findFirst());
  }

  private synchronized ManagedChannel channel(HostPort address) {
    if (closed) {
      throw new ClusterUnavailableException("fleetd is stopping");
    }
    if (way == null || !way.address().equals(address)) {
      end(way);
      way = new Way(address, open(address));
    }
    return way.channel();
  }

  private ManagedChannel open(HostPort address) {
    try {
      return channels.open(address);
    } catch (IOException e) {
      throw new ClusterUnavailableException("cannot ask the leader: " + e.getMessage(), e);
    }
  }

  /** Else it would wait ever longer before it connects anew. */
  private synchronized void drop(HostPort address) {
    if (way != null && way.address().equals(address)) {
      end(way);
      way = null;
    }
  }

  /** Calls that are under way go on to their end. */
  private static void end(@Nullable Way old) {
    if (old != null) {
      old.channel().shutdown();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (way != null) {
      way.channel().shutdownNow();
      way = null;
    }
  }

  /** Whether a request went on a connection: one that did not was not done. */
  private static final class Sent extends ClientStreamTracer.Factory {
    private final AtomicBoolean happened = new AtomicBoolean();

    boolean happened() {
      return happened.get();
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void outboundMessage(int sequence) {
          happened.set(true);
        }
      };
    }
  }
}

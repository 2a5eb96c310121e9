package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.core.fault.SystemCallFault;
import fleet.core.machine.HostPort;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.PassedRequest;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls whoever leads, and whoever leads next where that changes meanwhile. Safe for use by many
 * threads.
 */
final class LeaderCalls implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaderCalls.class);

  private final Leaders leaders;
  private final LeaderChannels channels;

  LeaderCalls(Leaders leaders, RpcChannels channels) {
    this.leaders = leaders;
    this.channels = new LeaderChannels(channels);
  }

  /**
   * Passes a request on, and again where contact is lost before an answer begins.
   *
   * @param again whether also where it may have been done: it says so then
   * @param patience for how long a leader is looked for
   */
  PassedAnswer call(PassedRequest request, boolean again, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    RetryDelay delay = RetryDelay.FIRST;
    boolean perhapsDone = false;
    while (true) {
      Leaders.Sighting leader = leaders.last();
      String problem;
      try {
        return attempt(leader, request.toBuilder().setRepeated(perhapsDone).build());
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
      await(leader, delay);
      if (System.nanoTime() - deadline >= 0) {
        throw new ClusterUnavailableException(problem);
      }
      delay = delay.next();
    }
  }

  /** Waits until another leads, or for a while. */
  void await(RetryDelay delay) {
    await(leaders.last(), delay);
  }

  private void await(Leaders.Sighting leader, RetryDelay delay) {
    try {
      leaders.awaitOther(leader, delay.length());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private PassedAnswer attempt(Leaders.Sighting leader, PassedRequest request)
      throws LostContactException {
    HostPort address =
        leader.address().orElseThrow(() -> new NotLeadingException("nobody is heard of"));
    ManagedChannel channel = channels.to(address);
    Sent sent = new Sent();
    try {
      return PassedAnswer.to(request, channel, CallOptions.DEFAULT.withStreamTracerFactory(sent));
    } catch (StatusException e) {
      if (isOfTheWay(e)) {
        channels.drop(channel);
      }
      throw lost(address, e, sent);
    } catch (TimeoutException e) {
      channels.drop(channel);
      throw new LostContactException("the leader at " + address + " is silent", sent.happened(), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static ClusterUnavailableException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ClusterUnavailableException("interrupted", e);
  }

  /** Whether a leader can have something to tell again, be it this one or the next. */
  static boolean mayGoOn(StatusException e) {
    return Said.by(e).isPresent() || isOfTheWay(e);
  }

  /** Whether it is the way that failed, and not the far side that refused. */
  private static boolean isOfTheWay(StatusException e) {
    return Said.by(e).isEmpty()
        && switch (e.getStatus().getCode()) {
          case UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL, ABORTED -> true;
          default -> false;
        };
  }

  /** Throws what was said, or returns how contact was lost. */
  private static LostContactException lost(HostPort address, StatusException e, Sent sent) {
    Status status = e.getStatus();
    String text = text(status);
    Optional<Said> said = Said.by(e);
    if (said.isPresent()) {
      throw said.get() == Said.ELSEWHERE
          ? new NotLeadingException(text)
          : new ClusterUnavailableException(text, e);
    }
    if (isOfTheWay(e)) {
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

  @Override
  public void close() {
    channels.close();
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

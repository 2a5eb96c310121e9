package fleet.relay;

import fleet.cluster.ClusterUnavailableException;
import fleet.core.fault.SystemCallFault;
import fleet.core.machine.HostPort;
import fleet.rpc.CandidateAddresses;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.PassedRequest;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the leader, and the next one if the leader changes meanwhile. Safe for use by many threads.
 */
final class LeaderCalls implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaderCalls.class);

  private static final String NOBODY = "no server is known to lead the cluster";
  private static final String REMEDY =
      "; one takes over within seconds if it is up and reaches the store";
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;
  private static final int MOST_DOUBLINGS = 5;

  private final LeaderChannel leader;

  LeaderCalls(CandidateAddresses addresses, RpcChannels channels) {
    this.leader = new LeaderChannel(addresses, channels);
  }

  /**
   * Relays a request, and retries if contact is lost before an answer begins.
   *
   * @param again whether to retry even if it may have been done; it then says so
   * @param patience how long to look for a leader
   * @throws ClusterUnavailableException if none was found, or the leader cannot answer
   */
  PassedAnswer call(PassedRequest request, boolean again, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    PassedRequest.Builder attempt = request.toBuilder();
    for (int failures = 0; ; failures++) {
      Optional<LeaderChannel.Sighting> asked = leader.last();
      String problem = NOBODY + REMEDY;
      if (asked.isPresent()) {
        AtomicBoolean sent = new AtomicBoolean();
        try {
          return PassedAnswer.to(attempt.build(), asked.get().channel(), noting(sent));
        } catch (StatusException e) {
          if (!isSaid(e)) {
            // Otherwise calls would wait ever longer for it to connect, or to be trusted.
            asked.get().channel().shutdown();
          }
          problem = problem(asked.get().address(), e);
          attempt.setRepeated(attempt.getRepeated() || (isOfTheWay(e) && sent.get()));
          if (attempt.getRepeated() && !again) {
            throw new ClusterUnavailableException(
                problem + "; whether it was done is not known: look, and do it again if it was not",
                e);
          }
        }
      }
      log.debug("asking the leader again: {}", problem);
      // Also before it is given up: the next caller must ask the present leader.
      leader.awaitOther(asked, pause(failures));
      if (System.nanoTime() - deadline >= 0) {
        throw new ClusterUnavailableException(problem);
      }
    }
  }

  /** Waits until the leader changes, or for a pause that grows with each failure. */
  void await(int failures) throws InterruptedException {
    leader.awaitOther(leader.last(), pause(failures));
  }

  private static Duration pause(int failures) {
    return Duration.ofMillis(
        Math.min(FIRST_PAUSE_MILLIS << Math.min(failures, MOST_DOUBLINGS), LONGEST_PAUSE_MILLIS));
  }

  /** Notes that a request was sent: one that was not sent was not done. */
  private static CallOptions noting(AtomicBoolean sent) {
    return CallOptions.DEFAULT.withStreamTracerFactory(
        new ClientStreamTracer.Factory() {
          @Override
          public ClientStreamTracer newClientStreamTracer(
              ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
              @Override
              public void outboundMessage(int sequence) {
                sent.set(true);
              }
            };
          }
        });
  }

  /** Whether a leader can have something to tell again, be it this one or the next. */
  static boolean mayGoOn(StatusException e) {
    return isSaid(e) || isOfTheWay(e);
  }

  /** Whether the other side refused, and not the connection failed. */
  private static boolean isSaid(StatusException e) {
    Status.Code code = e.getStatus().getCode();
    return code == RequestService.ELSEWHERE || code == RequestService.UNANSWERED;
  }

  private static boolean isOfTheWay(StatusException e) {
    return switch (e.getStatus().getCode()) {
      case UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL -> true;
      default -> false;
    };
  }

  /** Why another attempt is due; throws if none is. */
  private static String problem(HostPort address, StatusException e) {
    Status.Code code = e.getStatus().getCode();
    String text = text(e.getStatus());
    if (code == RequestService.ELSEWHERE) {
      return NOBODY + ", and " + address + " says: " + text + REMEDY;
    }
    String at = "the leader at " + address;
    if (isOfTheWay(e)) {
      return at + " cannot be reached: " + text;
    }
    throw new ClusterUnavailableException(
        switch (code) {
          case UNIMPLEMENTED -> "fleetd of " + at + " does not answer others: upgrade it";
          case UNAUTHENTICATED, PERMISSION_DENIED -> at + " refuses this machine: " + text;
          default -> isSaid(e) ? text : at + ": " + text;
        },
        e);
  }

  /** The first line of gRPC's message and its cause; of an "io exception" the cause alone. */
  static String text(Status status) {
    String cause =
        Stream.iterate(status.getCause(), Objects::nonNull, Throwable::getCause)
            .reduce((_, deeper) -> deeper)
            .map(Throwable::getMessage)
            .map(SystemCallFault::plain)
            .orElse("");
    return Stream.of(
            Objects.requireNonNullElse(status.getDescription(), status.getCode().name()), cause)
        .filter(text -> cause.isEmpty() || !text.equals("io exception"))
        .flatMap(text -> text.lines().limit(1))
        .collect(Collectors.joining(": "));
  }

  @Override
  public void close() {
    leader.close();
  }
}

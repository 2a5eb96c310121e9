package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refusals of the far side, told apart from faults of the way to it by a word in the trailers: the
 * same status may come from either.
 */
enum Said {
  /** The cluster cannot answer now. */
  UNAVAILABLE(Status.Code.UNAVAILABLE),
  /** Another one leads; nothing was done. */
  ELSEWHERE(Status.Code.FAILED_PRECONDITION),
  /** A fault of the far side. */
  FAULT(Status.Code.INTERNAL);

  private static final Logger log = LoggerFactory.getLogger(Said.class);
  private static final Metadata.Key<String> KEY =
      Metadata.Key.of("fleet-said", Metadata.ASCII_STRING_MARSHALLER);

  private final Status.Code code;

  Said(Status.Code code) {
    this.code = code;
  }

  /** What went wrong on this side, for the other. */
  static StatusException of(Exception why) {
    Said said =
        switch (why) {
          case ClusterUnavailableException _ -> UNAVAILABLE;
          case NotLeadingException _ -> ELSEWHERE;
          // The machine that was asked has gone, or the way to it has.
          case IOException _ -> UNAVAILABLE;
          default -> FAULT;
        };
    if (said == FAULT) {
      log.error("a request of another fleetd failed", why);
    }
    Metadata trailers = new Metadata();
    trailers.put(KEY, said.name());
    String text =
        said == FAULT
            ? "fleetd of the leader failed: see its log"
            : Objects.requireNonNullElse(why.getMessage(), said.name());
    return said.code.toStatus().withDescription(text).asException(trailers);
  }

  /** What the other side said; empty where it is the way that failed. */
  static Optional<Said> by(StatusException failure) {
    Metadata trailers = failure.getTrailers();
    String word = trailers == null ? null : trailers.get(KEY);
    for (Said said : values()) {
      if (said.name().equals(word)) {
        return Optional.of(said);
      }
    }
    return Optional.empty();
  }
}

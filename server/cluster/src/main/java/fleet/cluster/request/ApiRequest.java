package fleet.cluster.request;

import fleet.cluster.Caller;
import fleet.core.access.Subject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A request of API v1, wherever it came in. For one thread. */
public interface ApiRequest {

  String method();

  /** Path and query, as they were sent. */
  String target();

  /** The values of a header; of any case. */
  List<String> headers(String name);

  /**
   * All of the body; the same at each call.
   *
   * @param atMost in bytes
   * @return empty if it is longer
   * @throws IOException if it broke off
   */
  Optional<byte[]> body(int atMost) throws IOException;

  /** The caller, as the connection proves it. */
  Caller caller();

  /** The caller as a subject of grants. */
  Subject subject();

  /** Names the request in answers, logs and errors; empty if it has no name yet. */
  default String requestId() {
    return "";
  }

  /** The machine that proved itself and passed it on; empty if a client asks this one. */
  default String passedOnBy() {
    return "";
  }

  /** A cluster-wide unique name of the client's connection. */
  String connection();

  /** Whether it is idempotent: then it is repeated if its answer was lost. */
  default boolean mayBeRepeated() {
    return true;
  }

  /** Whether an earlier attempt may have done this already. */
  default boolean isRepeated() {
    return false;
  }

  /** Whether the answer continues one that broke off. */
  default boolean isContinued() {
    return false;
  }

  /** Whether to refuse a stale answer, even if the request would take it. */
  default boolean mustBeCertain() {
    return false;
  }
}

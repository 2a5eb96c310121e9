package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.CannotStartException;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.cluster.NotStartedException;
import fleet.cluster.UncertainLeadException;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import fleet.core.access.Target;
import fleet.core.audit.AuditLog;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way in for all requests: answers them by what this fleetd has, or passes them on unchanged to
 * the leader. The fleetd that answers a request allows or refuses it here, and audits it ({@link
 * AuditedAnswer}); a joined machine also checks whether a user of its own may speak for it. Faults
 * become errors of the API. Safe for use by many threads.
 */
final class Gateway {

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  /**
   * How long a leader waits for its store: longer than etcd mostly takes to elect its own leader.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Clients that see this header wait; one that asks much sooner does no harm. */
  static final String RETRY_AFTER_SECONDS = "1";

  /** Clients that see this header do not repeat the request. */
  private static final String REFUSED = "Fleet-Refused";

  private final Routes routes;
  private final EntityJson json;
  private final Backend backend;
  private final AuditLog audit;
  private final Duration patience;

  Gateway(Routes routes, EntityJson json, Backend backend, AuditLog audit) {
    this(routes, json, backend, audit, PATIENCE);
  }

  /**
   * @param patience for how long a leader waits for its store
   */
  Gateway(Routes routes, EntityJson json, Backend backend, AuditLog audit, Duration patience) {
    this.routes = routes;
    this.json = json;
    this.backend = backend;
    this.audit = audit;
    this.patience = patience;
  }

  /** Answers a client of this fleetd. */
  void answer(ApiRequest request, ApiAnswer answer) throws IOException {
    try {
      answer(request, answer, this::dispatch);
    } catch (NotLeadingException e) {
      refuse(request, answer, 503, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Answers another fleetd, which relays a request.
   *
   * @throws NotLeadingException if another one leads
   */
  void answerRelayed(ApiRequest request, ApiAnswer answer) throws IOException {
    answer(
        request,
        answer,
        exchange -> {
          Backend.Server server = serverThere();
          Route route = exchange.answer().route();
          work(
              exchange,
              route,
              route.where() == Route.Where.LEADER ? server.asLeader() : server.any());
        });
  }

  /** A server that is just starting may lead once it is ready: it is asked again. */
  private Backend.Server serverThere() {
    try {
      return backend.server().orElseThrow(Gateway::notServer);
    } catch (ClusterUnavailableException e) {
      throw new NotLeadingException(String.valueOf(e.getMessage()));
    }
  }

  private static NotLeadingException notServer() {
    return new NotLeadingException("it has joined a cluster that others lead");
  }

  // ---- permission

  /** Carries a request out if its subject may. */
  private void work(Exchange exchange, Route route, Backend.Own own)
      throws IOException, InterruptedException {
    Access access = allowed(exchange, route, Optional.of(own.grants()));
    route.work().answer(exchange.with(scoped(own, route, access), access), route.about());
  }

  private static Backend.Own scoped(Backend.Own own, Route route, Access access) {
    return access.isLimited(route.action())
        ? own.with(new ScopedCluster(own.cluster(), access))
        : own;
  }

  private Access allowed(Exchange exchange, Route route, Optional<AccessGrants> grants) {
    Access access = new Access(exchange.request().subject(), grants);
    access.expect(route.action(), route.target());
    return access;
  }

  /**
   * The leader decides by the grants of this joined machine. A subject that this machine itself
   * would refuse does not speak for it.
   */
  private static void speakForMachine(Exchange exchange, Route route) {
    Subject subject = exchange.request().subject();
    if (!new Access(subject, Optional.empty()).allows(route.action(), Target.SOMETHING)) {
      throw new RefusedException(
          403,
          "%s may not %s from here: this machine has joined, knows no grants, and speaks for its root and its groups of fleet; ask a server"
              .formatted(subject, route.action().words(Target.SOMETHING)));
    }
  }

  /** The grants for requests that any fleetd answers: one that has just begun knows none yet. */
  private Optional<AccessGrants> grantsThere() {
    try {
      return backend.server().map(server -> server.any().grants());
    } catch (ClusterUnavailableException e) {
      LOG.debug("grants are not known yet: {}", e.getMessage());
      return Optional.empty();
    }
  }

  // ---- where it is answered

  private void dispatch(Exchange exchange) throws IOException, InterruptedException {
    Route route = exchange.answer().route();
    if (exchange.request().subject() instanceof Subject.Stranger) {
      // No other fleetd gets the request.
      Access _ = allowed(exchange, route, Optional.empty());
    }
    if (route.where() == Route.Where.HERE) {
      allowed(exchange, route, grantsThere());
      route.work().answer(exchange, route.about());
      return;
    }
    Optional<Backend.Server> server = backend.server();
    if (server.isEmpty()) {
      speakForMachine(exchange, route);
      pass(exchange, backend.leader().orElseThrow());
    } else if (route.where() == Route.Where.SERVER) {
      work(exchange, route, server.get().any());
    } else {
      asLeader(exchange, route, server.get());
    }
  }

  /**
   * A leader that does not reach the store cannot know whether it still leads: it is asked again,
   * with a short wait each time, until it knows or time is over.
   */
  private void asLeader(Exchange exchange, Route route, Backend.Server server)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        work(exchange, route, server.asLeader());
        return;
      } catch (UncertainLeadException e) {
        if (exchange.answer().isBegun() || System.nanoTime() - deadline >= 0) {
          throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
        }
      } catch (NotLeadingException e) {
        if (exchange.answer().isBegun()) {
          throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
        }
        elsewhere(exchange, route, server);
        return;
      }
    }
  }

  /** Leadership may meanwhile go to a server that is asked in another way. */
  private void elsewhere(Exchange exchange, Route route, Backend.Server server)
      throws IOException, InterruptedException {
    Optional<ApiHandler> asked = backend.leader();
    try {
      elsewhere(exchange, route, server, asked);
    } catch (ClusterUnavailableException e) {
      Optional<ApiHandler> now = backend.leader();
      if (now.equals(asked) || exchange.answer().isBegun()) {
        throw e;
      }
      elsewhere(exchange, route, server, now);
    }
  }

  private void elsewhere(
      Exchange exchange, Route route, Backend.Server server, Optional<ApiHandler> leader)
      throws IOException, InterruptedException {
    if (leader.isPresent()) {
      pass(exchange, leader.get());
    } else {
      work(exchange, route, server.any());
    }
  }

  private static void pass(Exchange exchange, ApiHandler leader)
      throws IOException, InterruptedException {
    // A body that is too long is refused here: the leader need not see it.
    byte[] _ = exchange.body();
    leader.handle(exchange.request(), exchange.answer().ofLeader());
  }

  /** The leader's answer to a request of this fleetd's own. */
  Optional<byte[]> ask(ApiRequest question) throws IOException {
    HeldAnswer held = new HeldAnswer();
    answer(question, held);
    return held.body();
  }

  // ---- what goes wrong

  void refuse(ApiRequest request, ApiAnswer answer, int status, String message) throws IOException {
    exchange(request, answer).refuse(status, message);
  }

  private void answer(ApiRequest request, ApiAnswer answer, Route.WholeWork work)
      throws IOException {
    Exchange exchange = exchange(request, answer);
    try {
      work.answer(exchange);
    } catch (RefusedException e) {
      refuse(exchange, e.status(), e.text(), e);
    } catch (ClusterUnavailableException e) {
      if (e instanceof NotStartedException) {
        exchange.header(HttpHeader.RETRY_AFTER.asString(), RETRY_AFTER_SECONDS);
      } else if (e instanceof CannotStartException) {
        exchange.header(REFUSED, "1");
      }
      refuse(exchange, 503, String.valueOf(e.getMessage()), e);
    } catch (NotLeadingException e) {
      throw e;
    } catch (InterruptedException e) {
      exchange.answer().brokeOff();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } catch (RuntimeException e) {
      String id = exchange.answer().id();
      LOG.error("{} {} failed, request {}", request.method(), exchange.path(), id, e);
      refuse(exchange, 500, "internal error: see the log of fleetd for request " + id, e);
    }
  }

  private Exchange exchange(ApiRequest request, ApiAnswer answer) {
    return new Exchange(request, new AuditedAnswer(request, route(request), answer, audit), json);
  }

  private Route route(ApiRequest request) {
    return routes.of(request.method(), Exchange.path(request));
  }

  /** Whether carrying a request out twice is the same as doing it once. */
  boolean mayBeRepeated(ApiRequest request) {
    return route(request).isRepeatable();
  }

  private static void refuse(Exchange exchange, int status, String message, RuntimeException cause)
      throws IOException {
    if (exchange.answer().isBegun()) {
      throw new IOException(cause);
    }
    exchange.refuse(
        status, message, cause instanceof RefusedException refused ? refused.type() : null);
  }
}

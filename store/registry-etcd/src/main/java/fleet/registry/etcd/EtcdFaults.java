package fleet.registry.etcd;

import fleet.core.fault.SystemCallFault;
import fleet.registry.RegistryException;
import fleet.registry.etcd.EtcdFault.Kind;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Says what is wrong with etcd, and what to do. */
final class EtcdFaults {

  static final String NOSPACE =
      "is full (alarm NOSPACE) and takes no puts: compact it (etcdctl compact --physical REVISION), defragment"
          + " it (etcdctl defrag) or raise --quota-backend-bytes, then etcdctl alarm disarm";

  /** Should causes go round in a circle. */
  private static final int MOST_CAUSES = 50;

  private final String where;

  EtcdFaults(String where) {
    this.where = where;
  }

  RegistryException closed() {
    return new RegistryException("the registry in " + where + " is closed");
  }

  EtcdFault timedOut(Throwable cause) {
    return fault(Kind.UNKNOWN, "did not answer in time; is it overloaded, or cut off?", cause);
  }

  EtcdFault letGo(Throwable cause) {
    return fault(Kind.NOT_SENT, "gets a new connection: try again", cause);
  }

  EtcdFault noQuorum(Throwable cause) {
    return fault(
        Kind.UNKNOWN,
        "has no quorum: a member answers, but knows no leader; are most of its members running, and"
            + " do they reach each other?",
        cause);
  }

  EtcdFault wentBackwards(long from, long to) {
    IllegalStateException cause = new IllegalStateException("revision " + to + " after " + from);
    return fault(
        Kind.ANOTHER_STORE,
        "went back from revision %d to %d, or is another cluster".formatted(from, to),
        cause);
  }

  EtcdFault of(Throwable failure) {
    Status status = innermost(failure);
    String told = Objects.requireNonNullElse(status.getDescription(), status.getCode().name());
    return notSent(failure)
        .or(() -> unauthorised(status, told, failure))
        .orElseGet(() -> byWhatItSays(status, told, failure));
  }

  /** Failing to log in is told as "unauthenticated", with the real failure as its cause. */
  private static Status innermost(Throwable failure) {
    Status found = Status.UNKNOWN.withDescription(String.valueOf(failure.getMessage()));
    for (Throwable cause : causes(failure)) {
      switch (cause) {
        case StatusRuntimeException e -> found = e.getStatus();
        case StatusException e -> found = e.getStatus();
        default -> {}
      }
    }
    return found;
  }

  private static List<Throwable> causes(Throwable failure) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .toList();
  }

  private Optional<EtcdFault> notSent(Throwable failure) {
    for (Throwable cause : causes(failure)) {
      switch (cause) {
        case SSLHandshakeException e -> {
          return Optional.of(tls(e, failure));
        }
        case NotSslRecordException e -> {
          return Optional.of(tls(e, failure));
        }
        case UnknownHostException e -> {
          return Optional.of(unresolved(failure));
        }
        case UnresolvedAddressException e -> {
          return Optional.of(unresolved(failure));
        }
        case ConnectException e -> {
          return Optional.of(
              fault(
                  Kind.NOT_SENT,
                  "cannot be reached (%s); is it running there, and the port open?"
                      .formatted(SystemCallFault.plain(String.valueOf(e.getMessage()))),
                  failure));
        }
        case NoRouteToHostException e -> {
          return Optional.of(fault(Kind.NOT_SENT, "cannot be reached: no route to it", failure));
        }
        default -> {}
      }
    }
    return Optional.empty();
  }

  private EtcdFault unresolved(Throwable failure) {
    return fault(Kind.NOT_SENT, "cannot be reached: a name in it does not resolve", failure);
  }

  /**
   * With TLS 1.3 etcd refuses a client's certificate after the client has begun to send, but before
   * it reads any of it.
   */
  private EtcdFault tls(SSLException why, Throwable failure) {
    boolean ours = causes(why).stream().anyMatch(CertificateException.class::isInstance);
    return fault(
        Kind.NOT_SENT,
        ours
            ? "shows a certificate that is not trusted (%s); check etcd_cafile"
                .formatted(why.getMessage())
            : "refuses this machine's certificate, or does not speak TLS (%s); check etcd_certfile"
                .formatted(why.getMessage()),
        failure);
  }

  private Optional<EtcdFault> unauthorised(Status status, String told, Throwable failure) {
    boolean refused =
        switch (status.getCode()) {
          case UNAUTHENTICATED, PERMISSION_DENIED -> true;
          default ->
              told.contains("authentication failed")
                  || told.contains("permission denied")
                  || told.contains("user name is empty")
                  || told.contains("authentication is not enabled");
        };
    return refused
        ? Optional.of(
            fault(
                Kind.REFUSED,
                "refuses access (%s); check the user, its password and its role".formatted(told),
                failure))
        : Optional.empty();
  }

  private EtcdFault byWhatItSays(Status status, String told, Throwable failure) {
    if (told.contains("has been compacted")) {
      return fault(Kind.COMPACTED, "no longer keeps that revision", failure);
    }
    if (told.contains("is a future revision")) {
      return fault(Kind.FUTURE, "has not come to that revision", failure);
    }
    if (told.contains("requested lease not found")) {
      return fault(Kind.LEASE_ENDED, "no longer has that lease", failure);
    }
    if (told.contains("database space exceeded")) {
      return fault(Kind.FULL, NOSPACE, failure);
    }
    if (told.contains("request is too large") || told.contains("larger than max")) {
      return fault(Kind.REFUSED, "takes no request that large; see --max-request-bytes", failure);
    }
    if (told.contains("too many operations")) {
      return fault(Kind.REFUSED, "takes fewer writes at a time; see --max-txn-ops", failure);
    }
    if (told.contains("no leader") || told.contains("etcdserver: request timed out")) {
      return fault(
          Kind.UNKNOWN,
          "has no quorum (%s); are most of its members running?".formatted(told),
          failure);
    }
    if (told.contains("Network closed")) {
      return fault(
          Kind.UNKNOWN, "closed the connection without saying why" + ifThatGoesOn(), failure);
    }
    if (told.startsWith("io exception") && told.contains("ClientTlsHandler")) {
      // The TLS handshake is not complete: gRPC names the handlers of its channel.
      return brokeAtTls(failure);
    }
    if (told.lines().findFirst().orElse("").equals("io exception")) {
      String why = SystemCallFault.plain(String.valueOf(causes(failure).getLast().getMessage()));
      return fault(
          Kind.UNKNOWN, "broke the connection (%s)".formatted(why) + ifThatGoesOn(), failure);
    }
    if (told.contains("Channel shutdown")) {
      // See EtcdEndpoint.
      return fault(Kind.UNKNOWN, "did not answer, and gets a new connection: try again", failure);
    }
    if (told.contains("while performing TLS negotiation")) {
      return brokeAtTls(failure);
    }
    if (told.contains("http2 exception") || told.contains("HTTP status code")) {
      return fault(
          Kind.UNKNOWN,
          "does not speak as etcd does (%s); if that goes on, it is not etcd, or not the port for its"
                  .formatted(told)
              + " clients: check etcd_servers",
          failure);
    }
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      return timedOut(failure);
    }
    return fault(surelyRefused(told) ? Kind.REFUSED : Kind.UNKNOWN, "failed: " + told, failure);
  }

  private EtcdFault brokeAtTls(Throwable failure) {
    return fault(
        Kind.UNKNOWN,
        "closed the connection at the beginning of TLS; if that goes on, it does not speak TLS:"
            + " write http in etcd_servers",
        failure);
  }

  private String ifThatGoesOn() {
    return "; if that goes on, "
        + (where.contains("https:")
            ? "it refuses this machine's certificate: check etcd_certfile"
            : "it wants TLS (write https in etcd_servers), or is not etcd");
  }

  /** All other requests may have been carried out, so only the certain cases are listed. */
  private static boolean surelyRefused(String told) {
    return List.of("duplicate key", "too many requests", "key is not provided").stream()
        .anyMatch(told::contains);
  }

  private EtcdFault fault(Kind kind, String what, Throwable cause) {
    return new EtcdFault(kind, where + " " + what.lines().findFirst().orElse(""), cause);
  }
}

package fleet.rpc;

import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The methods of the RPC port, and the least standing of their callers. A method that is missing
 * here is forbidden, and keeps the port from opening. The rights of the person behind a relayed
 * request are checked behind {@code Requests}, not here.
 */
public final class MethodAccess {

  /** The standing that a caller's certificate gives; each may do all that the ones before may. */
  public enum Standing {
    /** It has none. */
    STRANGER,
    /** A machine that speaks for itself. */
    AGENT,
    /** A machine that may speak for the cluster. */
    SERVER;

    static Standing of(Optional<RpcPeer> peer) {
      return peer.map(known -> known.server() ? SERVER : AGENT).orElse(STRANGER);
    }
  }

  private static final Map<String, Standing> LEAST =
      Map.of(
          "fleet.rpc.v1.Enrolment/Enrol", Standing.STRANGER,
          "fleet.rpc.v1.Enrolment/Renew", Standing.AGENT,
          "fleet.rpc.v1.Enrolment/ReportTrust", Standing.AGENT,
          "fleet.rpc.v1.Directory/Ask", Standing.AGENT,
          "fleet.rpc.v1.Coordination/Join", Standing.AGENT,
          "fleet.rpc.v1.Requests/Pass", Standing.AGENT);

  private MethodAccess() {}

  /**
   * The least standing that a caller must have.
   *
   * @param method its full name
   * @return empty if the method is for nobody
   */
  public static Optional<Standing> least(String method) {
    return Optional.ofNullable(LEAST.get(method));
  }

  /** Why somebody may not call a method; empty if they may. */
  static Optional<Status> refusal(String method, Optional<RpcPeer> peer) {
    Optional<Standing> least = least(method);
    Standing standing = Standing.of(peer);
    if (least.isPresent() && standing.compareTo(least.get()) >= 0) {
      return Optional.empty();
    }
    if (standing == Standing.STRANGER) {
      return Optional.of(
          Status.UNAUTHENTICATED.withDescription(
              "this needs the certificate of a machine of the cluster: join it first"));
    }
    return Optional.of(
        Status.PERMISSION_DENIED.withDescription(
            "%s is not for machine %s".formatted(method, peer.orElseThrow().machine())));
  }

  /**
   * Refuses to serve undeclared methods.
   *
   * @throws IllegalArgumentException naming the methods that are missing here
   */
  static void requireKnown(Collection<ServerServiceDefinition> services) {
    var missing = new TreeSet<String>();
    for (ServerServiceDefinition service : services) {
      service.getMethods().stream()
          .map(method -> method.getMethodDescriptor().getFullMethodName())
          .filter(method -> !LEAST.containsKey(method))
          .forEach(missing::add);
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("MethodAccess does not say who may call " + missing);
    }
  }
}

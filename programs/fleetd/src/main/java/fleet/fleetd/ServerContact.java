package fleet.fleetd;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotStartedException;
import fleet.cluster.request.ApiHandler;
import fleet.coordination.rpc.RpcAgentCoordination;
import fleet.core.machine.HostPort;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a machine that has joined is in contact with a leader among its servers, for people. Safe
 * for use by many threads.
 */
final class ServerContact implements RpcAgentCoordination.Observer {

  private final List<HostPort> servers;
  private final Supplier<Optional<String>> lookup;
  private final DependencyOutage silence;
  private volatile boolean met;

  /**
   * Assumes contact at first.
   *
   * @param lookup why the servers do not say who leads; empty if they do
   */
  ServerContact(List<HostPort> servers, Supplier<Optional<String>> lookup, Clock clock) {
    this.servers = servers;
    this.lookup = lookup;
    this.silence = new DependencyOutage(clock);
  }

  /** Runs something whenever it changes, one run at a time, on another thread. */
  void onChange(Runnable work) {
    silence.onChange(work);
  }

  /** The servers' answers tell more than the last failed attempt at a leader. */
  @Override
  public synchronized void spoken(Optional<String> problem) {
    if (problem.isEmpty()) {
      met = true;
    }
    silence.is(problem.map(why -> lookup.get().orElse(why)));
  }

  /** Since when there is none, why, and what to do; empty if there is. */
  Optional<String> problem() {
    return silence.sinceWhen().map(since -> missing() + since + "; " + hint());
  }

  private String missing() {
    return "no contact with %s since ".formatted(servers.size() == 1 ? "the server" : "a leader");
  }

  private String hint() {
    return servers.stream().allMatch(server -> isNumber(server.host()))
        ? "if its address has changed, put the new one into join=, or a name, and restart fleet"
        : "check that fleetd runs there, and that the names in join= lead there";
  }

  private static boolean isNumber(String host) {
    try {
      var _ = InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The same answers. A failure also says since when there is no contact; before there was any, as
   * when the network comes late, this fleetd counts as one that has not begun.
   */
  ApiHandler explaining(ApiHandler leader) {
    return (request, answer) -> {
      try {
        leader.handle(request, answer);
      } catch (ClusterUnavailableException e) {
        throw explained(e, request.mayBeRepeated());
      }
    };
  }

  /**
   * The same refusal, with since when there is no contact.
   *
   * @param again whether the request may be made again: a leader may have done it all the same
   */
  ClusterUnavailableException explained(ClusterUnavailableException e, boolean again) {
    Optional<String> text = silence.since().map(since -> e.getMessage() + "; " + missing() + since);
    if (text.isEmpty()) {
      return e;
    }
    return met || !again
        ? new ClusterUnavailableException(text.get(), e)
        : new NotStartedException(text.get());
  }
}

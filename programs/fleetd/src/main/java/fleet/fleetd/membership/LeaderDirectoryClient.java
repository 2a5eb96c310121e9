package fleet.fleetd.membership;

import fleet.core.fault.SystemCallFault;
import fleet.core.machine.HostPort;
import fleet.rpc.Methods;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.WhoLeads;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the servers that a machine has joined who leads. Safe for use by many threads. */
public final class LeaderDirectoryClient {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderDirectoryClient.class);

  private static final long PATIENCE_SECONDS = 2;

  private static final String NOBODY_LEADS = "the servers answer, but none of them leads";

  private final RpcChannels channels;
  private final List<HostPort> servers;
  private final Consumer<String> thrownOut;
  private volatile Optional<String> problem = Optional.empty();
  private volatile Optional<HostPort> last = Optional.empty();

  /**
   * Nobody is asked yet.
   *
   * @param servers as they were configured; the leader need not be one of them
   * @param thrownOut told when a server says that this machine does not belong to the cluster
   */
  public LeaderDirectoryClient(
      RpcChannels channels, List<HostPort> servers, Consumer<String> thrownOut) {
    this.channels = channels;
    this.thrownOut = thrownOut;
    this.servers = List.copyOf(servers);
  }

  /** The answer of one server: who leads, nobody does, or why it could not be asked. */
  private sealed interface Said {
    record Leads(HostPort leader) implements Said {}

    record Nobody() implements Said {}

    record Nothing(String why) implements Said {}
  }

  /** Candidates for the leader, the likeliest first; waits for one of the servers to answer. */
  public List<HostPort> candidates() {
    Set<HostPort> known = new LinkedHashSet<>(servers);
    last.ifPresent(known::add);
    Set<HostPort> candidates = new LinkedHashSet<>();
    try {
      asked(known)
          .ifPresent(leader -> {
            last = Optional.of(leader);
            candidates.add(leader);
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    candidates.addAll(known);
    return List.copyOf(candidates);
  }

  /** All at once: one that is switched off would hold up the others. */
  private Optional<HostPort> asked(Set<HostPort> known) throws InterruptedException {
    BlockingQueue<Said> answers = new LinkedBlockingQueue<>();
    known.forEach(server ->
        Thread.ofVirtual().name("asking who leads").start(() -> answers.add(saidBy(server))));
    List<String> failures = new ArrayList<>();
    for (int heard = 0; heard < known.size(); heard++) {
      switch (answers.take()) {
        case Said.Leads(HostPort leader) -> {
          problem = Optional.empty();
          return Optional.of(leader);
        }
        case Said.Nobody() -> {}
        case Said.Nothing(String why) -> failures.add(why);
      }
    }
    found(failures.size() == known.size() ? String.join("; ", failures) : NOBODY_LEADS);
    return Optional.empty();
  }

  private void found(String why) {
    boolean isSaid = problem.filter(before -> !before.equals(NOBODY_LEADS)).isPresent();
    problem = Optional.of(why);
    if (!isSaid && !why.equals(NOBODY_LEADS)) {
      LOG.warn("nobody says who leads: {}; trying on", why);
    }
  }

  /** Why the last attempt found no leader, for people; empty if it did. */
  public Optional<String> problem() {
    return problem;
  }

  private Said saidBy(HostPort server) {
    try {
      Optional<HostPort> leader = leaderAsOf(server);
      return leader.isPresent() ? new Said.Leads(leader.get()) : new Said.Nobody();
    } catch (IOException | RuntimeException e) {
      return new Said.Nothing(String.valueOf(e.getMessage()));
    }
  }

  private Optional<HostPort> leaderAsOf(HostPort server) throws IOException {
    try {
      ManagedChannel channel = channels.open(server);
      try {
        return HostPort.parse(
            ClientCalls.blockingUnaryCall(
                    channel,
                    Methods.directoryAsk(),
                    CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
                    WhoLeads.getDefaultInstance())
                .getAddress());
      } finally {
        channel.shutdownNow();
      }
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
        thrownOut.accept("server " + server + ": " + reason(e));
      }
      throw new IOException("server " + server + ": " + reason(e), e);
    }
  }

  private static String reason(StatusRuntimeException failure) {
    List<Throwable> causes =
        Stream.iterate(failure.getCause(), Objects::nonNull, Throwable::getCause).toList();
    for (Throwable cause : causes) {
      if (cause instanceof CertificateException) {
        return cause.getMessage()
            + "; if the authority was replaced while this machine was away, or it is to change over"
            + " to another cluster, start fleetd once with --token TOKEN from a server's \"fleetctl"
            + " token\"";
      }
    }
    if (causes.isEmpty()) {
      Status status = failure.getStatus();
      return Objects.requireNonNullElse(status.getDescription(), status.getCode().name());
    }
    Throwable cause = causes.getLast();
    return SystemCallFault.plain(
        Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName()));
  }
}

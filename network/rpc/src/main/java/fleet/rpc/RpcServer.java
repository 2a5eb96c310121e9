package fleet.rpc;

import com.google.common.util.concurrent.MoreExecutors;
import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditEntry.Result;
import fleet.core.audit.AuditLog;
import fleet.core.audit.AuditThrottle;
import fleet.core.machine.HostPort;
import fleet.core.metric.Meter;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.DecompressorRegistry;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one port on which this fleetd serves others. Calls run on virtual threads, one at a time for
 * each stream, except for the messages of machines to the leader. Safe for use by many threads.
 */
public final class RpcServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RpcServer.class);

  /** A unit file has half a megabyte; a schedule comes in several messages. */
  static final int LARGEST_MESSAGE = 8 << 20;

  /**
   * Fixed: finding out the best one by itself, gRPC sends a ping for each small message and has it
   * answered, which is most of what thousands of quiet machines would cost.
   */
  static final int WINDOW = 1 << 20;

  /**
   * A relaying process has a call for each client that follows events or a journal; a machine by
   * itself has a handful.
   */
  private static final int MOST_CALLS = 1_000;

  /** Each call may be given up once, and those that follow it as well, all in one moment. */
  private static final int MOST_RESETS = 2 * MOST_CALLS;

  private static final int RESETS_SECONDS = 10;

  private static final int HANDSHAKE_SECONDS = 10;

  /** A connection without a call is cheap to replace. */
  private static final int IDLE_SECONDS = 30;

  /**
   * The keepalive time of silent clients. Machines and waiting callers send more often by
   * themselves, so only vanished clients are pinged.
   */
  private static final int QUIET_SECONDS = 120;

  private static final int SILENT_SECONDS = 20;

  private static final int CLOSE_SECONDS = 2;

  private final Server server;
  private final HostPort address;
  private final boolean everywhere;
  private final PeerCalls calls;
  private final Optional<StrangerConnections> connections;

  private RpcServer(
      Server server,
      String host,
      boolean everywhere,
      PeerCalls calls,
      Optional<StrangerConnections> connections) {
    this.connections = connections;
    this.server = server;
    this.calls = calls;
    this.everywhere = everywhere;
    this.address = new HostPort(host, server.getPort());
  }

  /** Listens as the other does, and writes down nothing. */
  public static RpcServer open(
      String host, int port, RpcSecurity security, List<ServerServiceDefinition> services)
      throws IOException {
    return open(host, port, security, services, PeerAdmission.ALL, AuditLog.NONE, Meter.NONE);
  }

  /**
   * Listens.
   *
   * @param host where others reach this machine
   * @param port 0 for any that is free
   * @param admission who is served, of those whose certificates are good
   * @param audit where calls are written down that {@link MethodAccess} refuses
   * @param meter counts calls and their bytes
   * @throws IOException with a message for the operator, if that cannot be
   */
  public static RpcServer open(
      String host,
      int port,
      RpcSecurity security,
      List<ServerServiceDefinition> services,
      PeerAdmission admission,
      AuditLog audit,
      Meter meter)
      throws IOException {
    MethodAccess.requireKnown(services);
    InetAddress wanted = InetAddress.getByName(host);
    if (security instanceof RpcSecurity.PlainText(boolean everywhere)
        && !everywhere
        && !wanted.isLoopbackAddress()) {
      throw new IOException(
          ("plain text is for loopback only, and %s is reached from elsewhere; rpc_insecure=true"
                  + " allows it")
              .formatted(host));
    }
    var counting = new RpcMeter(meter);
    var at = new InetSocketAddress(wanted, port);
    try {
      return start(at, host, security, services, admission, audit, counting);
    } catch (IOException e) {
      log.debug("rpc: {} is not an address of this machine", host, e);
      // An address that a router translates is not the machine's own.
      var everywhere = new InetSocketAddress(port);
      return start(everywhere, host, security, services, admission, audit, counting);
    }
  }

  private static RpcServer start(
      InetSocketAddress on,
      String host,
      RpcSecurity security,
      List<ServerServiceDefinition> services,
      PeerAdmission admission,
      AuditLog audit,
      RpcMeter meter)
      throws IOException {
    // Holds no threads, and so is never closed: calls end after their server.
    Executor calls = Executors.newVirtualThreadPerTaskExecutor();
    Optional<StrangerConnections> strangers = strangers(security);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(on, credentials(security, strangers))
            // Only looks up the handler of a call: work here could pile up.
            .executor(MoreExecutors.directExecutor())
            .callExecutor(new CallExecutors(calls))
            .maxInboundMessageSize(LARGEST_MESSAGE)
            .flowControlWindow(WINDOW)
            .maxConcurrentCallsPerConnection(MOST_CALLS)
            .maxRstFramesPerWindow(MOST_RESETS, RESETS_SECONDS)
            .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
            // Nobody compresses, and a few bytes could become megabytes.
            .decompressorRegistry(DecompressorRegistry.emptyInstance())
            .keepAliveTime(QUIET_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(SILENT_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addStreamTracerFactory(meter.server())
            .addServices(services);
    var peerCalls = new PeerCalls();
    if (security instanceof RpcSecurity.MutualTls tls) {
      builder
          .intercept(new Identified(tls.peers(), admission, peerCalls, new Strangers(), audit))
          .addStreamTracerFactory(Strangers.measuring());
    }
    strangers.ifPresent(builder::addTransportFilter);
    return new RpcServer(
        builder.build().start(), host, on.getAddress().isAnyLocalAddress(), peerCalls, strangers);
  }

  /** In plain text, peers do not authenticate. */
  private static Optional<StrangerConnections> strangers(RpcSecurity security) {
    return switch (security) {
      case RpcSecurity.MutualTls tls -> Optional.of(new StrangerConnections(tls.peers()));
      case RpcSecurity.PlainText _ -> Optional.empty();
    };
  }

  private static ServerCredentials credentials(
      RpcSecurity security, Optional<StrangerConnections> strangers) {
    return switch (security) {
      case RpcSecurity.MutualTls tls -> strangers.orElseThrow().guard(tls.server());
      case RpcSecurity.PlainText _ -> InsecureServerCredentials.create();
    };
  }

  /** Where others reach it. */
  public HostPort address() {
    return address;
  }

  /** Whether it can be reached at each address that the machine has, or will have. */
  public boolean listensEverywhere() {
    return everywhere;
  }

  /**
   * Ends all calls of a machine; whether it may make others is for {@link PeerAdmission} to say.
   */
  public void cut(String machine, String why) {
    calls.cut(machine, Status.PERMISSION_DENIED.withDescription(why));
  }

  /** Ends connections of machines whose certificates are by an authority of former times. */
  public void endDistrusted() {
    connections.ifPresent(StrangerConnections::endDistrusted);
  }

  /** Refuses new calls, whose callers hear that nothing was done; those that have begun go on. */
  public void refuseMore() {
    server.shutdown();
  }

  /** Ends all calls; new ones are refused. */
  @Override
  public void close() {
    server.shutdownNow();
    try {
      if (!server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        log.debug("rpc: calls go on for longer than the port");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Messages of machines to the leader and refusals of strangers run on the connection's thread.
   * All other calls may block.
   */
  private record CallExecutors(Executor others) implements ServerCallExecutorSupplier {
    private static final String PASSED_ON = Methods.coordinationJoin().getFullMethodName();

    @Override
    public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
      String method = call.getMethodDescriptor().getFullMethodName();
      return method.equals(PASSED_ON) || (isStrangers(call) && isRefused(method))
          ? Runnable::run
          : others;
    }

    private static boolean isStrangers(ServerCall<?, ?> call) {
      StrangerConnection connection = call.getAttributes().get(StrangerConnection.KEY);
      return connection != null && connection.isStrangers();
    }

    private static boolean isRefused(String method) {
      return MethodAccess.refusal(method, Optional.empty()).isPresent();
    }
  }

  /** Adds the caller to calls, and refuses those that {@link MethodAccess} forbids. */
  private record Identified(
      RpcSecurity.Identification peers,
      PeerAdmission admission,
      PeerCalls calls,
      Strangers strangers,
      AuditLog audit)
      implements ServerInterceptor {

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
      Optional<RpcPeer> peer = session == null ? Optional.empty() : peers.peer(session);
      Optional<Status> refusal =
          MethodAccess.refusal(call.getMethodDescriptor().getFullMethodName(), peer)
              .or(() -> peer.flatMap(admission::refusal));
      if (refusal.isPresent()) {
        audit.record(refused(call, peer).because(String.valueOf(refusal.get().getDescription())));
        call.close(refusal.get(), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      if (peer.isEmpty()) {
        return strangers.admit(call, headers, next);
      }
      Context known = Context.current().withValue(RpcPeer.KEY, peer.get());
      ServerCall.Listener<Q> begun =
          calls.begin(
              peer.get().machine(),
              call,
              headers,
              (cuttable, received) -> Contexts.interceptCall(known, cuttable, received, next));
      // It may have been removed after the check, before there was a call to end.
      admission.refusal(peer.get()).ifPresent(why -> calls.cut(peer.get().machine(), why));
      return begun;
    }

    private static AuditEntry refused(ServerCall<?, ?> call, Optional<RpcPeer> peer) {
      String who = peer.map(known -> "machine " + known.machine()).orElse(RpcPeer.addressOf(call));
      String machine = peer.map(RpcPeer::machine).orElse("");
      String action = AuditThrottle.CALL + call.getMethodDescriptor().getBareMethodName();
      return new AuditEntry(
          UUID.randomUUID().toString(), who, machine, action, "", "", "", Result.REFUSED, "", 0);
    }
  }
}

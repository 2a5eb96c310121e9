package fleet.rpc;

import fleet.core.machine.HostPort;
import fleet.core.metric.Meter;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Opens channels to the RPC ports of others. Safe for use by many threads. */
public final class RpcChannels {

  /** Longer than the heartbeats of thousands of machines are apart, which tell as much. */
  private static final long QUIET_SECONDS = 12;

  private static final long SILENT_SECONDS = 5;

  /**
   * A running machine accepts a connection at once, or after a second if a packet was lost. One
   * that is switched off never refuses, and the present leader must be asked soon.
   */
  private static final int CONNECT_MILLIS = 1_200;

  private final Source source;
  private final RpcMeter meter;

  /** Holds no threads, and so is never closed. */
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

  /** Says how to connect, if this machine can prove who it is by now. */
  @FunctionalInterface
  public interface Source {
    /**
     * Asked at each connection.
     *
     * @throws IOException with a message for the operator, if it cannot prove that yet
     */
    RpcSecurity security() throws IOException;
  }

  public RpcChannels(RpcSecurity security) {
    this(() -> security);
  }

  public RpcChannels(Source source) {
    this(source, Meter.NONE);
  }

  public RpcChannels(Source source, Meter meter) {
    this.source = source;
    this.meter = new RpcMeter(meter);
  }

  /**
   * A new way, which connects when it is first used; close it.
   *
   * @throws IOException with a message for the operator, if this must not be
   */
  public ManagedChannel open(HostPort address) throws IOException {
    RpcSecurity security = source.security();
    if (security instanceof RpcSecurity.PlainText(boolean everywhere)
        && !everywhere
        && !isLoopback(address.host())) {
      throw new IOException(
          "plain text is for loopback only, and %s is elsewhere; rpc_insecure=true allows it"
              .formatted(address));
    }
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address.host(), address.port(), credentials(security));
    // Otherwise it searches the whole class path, each time, for a library that is absent.
    InternalNettyChannelBuilder.setStatsEnabled(builder, false);
    InternalNettyChannelBuilder.setTracingEnabled(builder, false);
    if (security instanceof RpcSecurity.MutualTls tls) {
      builder.intercept(new BelievedServers(tls.peers()));
    }
    return builder
        .intercept(meter.client())
        .executor(calls)
        .maxInboundMessageSize(RpcServer.LARGEST_MESSAGE)
        .flowControlWindow(RpcServer.WINDOW)
        .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        // A server that is silent while a call waits may have vanished.
        .keepAliveTime(QUIET_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(SILENT_SECONDS, TimeUnit.SECONDS)
        .disableRetry()
        .build();
  }

  private static boolean isLoopback(String host) throws UnknownHostException {
    return InetAddress.getByName(host).isLoopbackAddress();
  }

  private static ChannelCredentials credentials(RpcSecurity security) {
    return switch (security) {
      case RpcSecurity.MutualTls tls -> tls.client();
      case RpcSecurity.PlainText _ -> InsecureChannelCredentials.create();
    };
  }
}

package fleet.rpc;

import fleet.core.limit.SourceNetwork;
import io.grpc.Attributes;
import io.grpc.netty.InternalProtocolNegotiationEvent;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection, a stranger's until it is identified. Used by its own thread, but for {@link #cut}
 * and what is said of calls.
 *
 * <p>It stands between the socket and TLS, so that cutting waits for nothing.
 */
final class StrangerConnection extends ChannelInboundHandlerAdapter {

  static final Attributes.Key<StrangerConnection> KEY = Attributes.Key.create("fleet-connection");

  /** Both the handshake and a call of a stranger's may wait for 5 s. */
  private static final int LIFE_SECONDS = 15;

  private final StrangerConnections all;
  private final ChannelHandler negotiation;
  private final AtomicBoolean calling = new AtomicBoolean();
  private final FrameLimit frames = new FrameLimit(this::cut);
  private boolean limited;
  private volatile boolean identified;
  private volatile @Nullable ChannelHandlerContext context;
  private volatile SourceNetwork network = new SourceNetwork("");
  private @Nullable Future<?> end;

  /**
   * @param negotiation what comes after it on the same connection
   */
  StrangerConnection(StrangerConnections all, ChannelHandler negotiation) {
    this.all = all;
    this.negotiation = negotiation;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    added.pipeline().addAfter(added.name(), null, negotiation);
    end = added.executor().schedule(this::cut, LIFE_SECONDS, TimeUnit.SECONDS);
    if (added.channel().remoteAddress() instanceof InetSocketAddress from) {
      network = SourceNetwork.of(from.getAddress().getAddress());
    }
    all.enter(this, network);
    var _ = added.channel().closeFuture().addListener(_ -> gone());
  }

  /** Calls learn from their attributes which connection they come on. */
  @Override
  public void userEventTriggered(ChannelHandlerContext here, Object event) {
    boolean begins = event.equals(InternalProtocolNegotiationEvent.getDefault());
    here.fireUserEventTriggered(
        begins
            ? InternalProtocolNegotiationEvent.withAttributes(
                InternalProtocolNegotiationEvent.getDefault(),
                Attributes.newBuilder().set(KEY, this).build())
            : event);
  }

  private void gone() {
    leave();
    all.gone(this);
  }

  private void leave() {
    all.leave(this);
    if (end != null) {
      end.cancel(false);
    }
  }

  /** TLS is there by the time that something comes, and not before. */
  @Override
  public void channelRead(ChannelHandlerContext here, Object message) {
    if (!limited) {
      limited = true;
      ChannelHandlerContext tls = here.pipeline().context(SslHandler.class);
      here.pipeline().addAfter(tls.name(), null, frames);
    }
    here.fireChannelRead(message);
  }

  /** The other end has authenticated as a machine of the cluster, and has sent its first frame. */
  void identified() {
    identified = true;
    leave();
    ChannelHandlerContext here = context;
    if (here != null) {
      here.pipeline().remove(frames);
    }
  }

  /** Ends it, also if the other end is no stranger. */
  void end() {
    identified = false;
    cut();
  }

  boolean isStrangers() {
    return !identified;
  }

  /** Where it comes from. */
  SourceNetwork network() {
    return network;
  }

  /** Whether none of its calls is going on, and one may begin. */
  boolean beginCall() {
    return calling.compareAndSet(false, true);
  }

  void endCall() {
    calling.set(false);
  }

  /** Ends it, unless it has turned out to be a machine's. */
  void cut() {
    ChannelHandlerContext here = context;
    if (here != null && !identified) {
      var _ = here.close();
    }
  }
}

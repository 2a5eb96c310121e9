package fleet.api;

import fleet.api.listen.BoundSocket;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves any listening channel, unix or TCP, with one thread that accepts and selects. The channel
 * is bound already, and closed at the end.
 */
final class ChannelConnector extends AbstractConnector {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelConnector.class);
  private static final long PAUSE_MILLIS = 1000;

  /** As many as the kernel lets wait by default; a stop is not to last as long as they come. */
  private static final int MOST_WAITING = 4096;

  private final BoundSocket socket;
  private final ServerSocketChannel channel;
  private final Selectors selectors;
  private final SilentConnections silent;
  private final SilentConnections strangers;
  private final ConnectionDrain drain;
  private volatile @Nullable Closeable acceptor;

  ChannelConnector(
      Server server, BoundSocket socket, ConnectionDrain drain, ConnectionFactory... factories) {
    super(server, null, null, null, 0, factories);
    this.socket = socket;
    this.drain = drain;
    this.channel = socket.channel();
    this.silent = new SilentConnections(getScheduler());
    this.strangers = SilentConnections.ofStrangers(getScheduler());
    this.selectors = new Selectors(getExecutor(), getScheduler());
    selectors.addEventListener(
        new SelectorManager.AcceptListener() {
          @Override
          public void onAcceptFailed(SelectableChannel accepted, Throwable cause) {
            drain.failed(accepted);
          }
        });
    installBean(selectors, true);
  }

  BoundSocket socket() {
    return socket;
  }

  SilentConnections silent() {
    return silent;
  }

  /** The unauthenticated connections, if they are limited. */
  SilentConnections strangers() {
    return strangers;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    channel.configureBlocking(false);
    acceptor = selectors.acceptor(channel);
  }

  /** Accepts the clients that have connected, and closes the socket. */
  void acceptWaiting() throws IOException {
    if (!isStarted()) {
      return;
    }
    socket.hide();
    try {
      for (int i = 0; i < MOST_WAITING; i++) {
        SelectableChannel waiting = selectors.counted(channel);
        if (waiting == null) {
          break;
        }
        selectors.accepted(waiting);
      }
    } finally {
      channel.close();
    }
    // Wakes the selector, which otherwise would keep the socket open until the next client.
    IO.close(acceptor);
  }

  @Override
  public CompletableFuture<Void> shutdown() {
    closeChannel();
    return super.shutdown();
  }

  @Override
  protected void doStop() throws Exception {
    closeChannel();
    super.doStop();
  }

  private void closeChannel() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing {}", channel, e);
    }
  }

  @Override
  public Object getTransport() {
    return channel;
  }

  @Override
  protected void accept(int acceptor) {
    throw new UnsupportedOperationException("the selector accepts");
  }

  private static void configure(SocketChannel accepted) throws IOException {
    accepted.configureBlocking(false);
    if (accepted.getRemoteAddress() instanceof InetSocketAddress) {
      accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
      // Streams have no idle timeout: this ends those to machines that are gone.
      accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }
  }

  private final class Selectors extends SelectorManager {

    Selectors(Executor executor, Scheduler scheduler) {
      super(executor, scheduler, 1);
    }

    @Override
    protected @Nullable SelectableChannel doAccept(SelectableChannel server) throws IOException {
      try {
        return counted(server);
      } catch (IOException e) {
        if (channel.isOpen()) {
          pause(e);
        }
        return null;
      }
    }

    /** In one step, so that a stop never misses a connection between the two. */
    private synchronized @Nullable SelectableChannel counted(SelectableChannel server)
        throws IOException {
      SelectableChannel accepted = super.doAccept(server);
      if (accepted != null) {
        drain.accepted(accepted);
      }
      return accepted;
    }

    /** Probably out of file descriptors: an immediate retry would spin. */
    private void pause(IOException cause) {
      LOG.warn("cannot accept connections at {}, trying again in 1 s: {}", channel, cause + "");
      IO.close(acceptor);
      getScheduler().schedule(this::resume, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void resume() {
      if (channel.isOpen()) {
        acceptor = acceptor(channel);
      }
    }

    @Override
    protected void accepted(SelectableChannel accepted) throws IOException {
      configure((SocketChannel) accepted);
      accept(accepted);
    }

    @Override
    protected EndPoint newEndPoint(
        SelectableChannel accepted, ManagedSelector selector, SelectionKey key) {
      SocketChannelEndPoint endPoint =
          new SocketChannelEndPoint((SocketChannel) accepted, selector, key, getScheduler());
      endPoint.setIdleTimeout(getIdleTimeout());
      return endPoint;
    }

    @Override
    public Connection newConnection(
        SelectableChannel accepted, EndPoint endPoint, Object attachment) {
      return getDefaultConnectionFactory().newConnection(ChannelConnector.this, endPoint);
    }

    @Override
    protected void endPointOpened(EndPoint endPoint) {
      super.endPointOpened(endPoint);
      silent.opened(endPoint);
      if (socket.ofCluster() || socket.forScrapers()) {
        strangers.opened(endPoint);
      }
      onEndPointOpened(endPoint);
    }

    @Override
    protected void endPointClosed(EndPoint endPoint) {
      silent.closed(endPoint);
      strangers.closed(endPoint);
      drain.closed(endPoint);
      onEndPointClosed(endPoint);
      super.endPointClosed(endPoint);
    }
  }
}

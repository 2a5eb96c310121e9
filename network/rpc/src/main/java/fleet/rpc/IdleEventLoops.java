package fleet.rpc;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Lets Netty's threads sleep until something comes: an idle one without scheduled work wakes up
 * each second to check. Each gets a task that is years away.
 *
 * <p>Netty finds this by itself, for all connections of the process, if {@code
 * io.netty.bootstrap.extensions} is {@code serviceload}.
 */
public final class IdleEventLoops extends ChannelInitializerExtension {

  private static final long DAYS_AWAY = 3_650;

  private final FastThreadLocal<Boolean> resting = new FastThreadLocal<>();

  @Override
  public void postInitializeServerListenerChannel(ServerChannel channel) {
    restLoopOf(channel);
  }

  @Override
  public void postInitializeServerChildChannel(Channel channel) {
    restLoopOf(channel);
  }

  @Override
  public void postInitializeClientChannel(Channel channel) {
    restLoopOf(channel);
  }

  /** Which loop that is turns out once it has one. */
  private void restLoopOf(Channel channel) {
    channel
        .pipeline()
        .addLast(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel registered) {
                rest(registered.eventLoop());
              }
            });
  }

  private void rest(EventLoop loop) {
    if (!resting.isSet()) {
      resting.set(true);
      Future<?> _ = loop.schedule(() -> {}, DAYS_AWAY, TimeUnit.DAYS);
    }
  }
}

package fleet.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdleEventLoopsTest {

  private final IdleEventLoops resting = new IdleEventLoops();
  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
  private final Loop loop = new Loop();

  private final class Loop extends SingleThreadIoEventLoop {

    Loop() {
      super(group, Thread.ofPlatform().factory(), LocalIoHandler.newFactory());
    }

    /** How long the loop sleeps when nothing comes. */
    Duration sleep() throws Exception {
      return submit(() -> Duration.ofNanos(delayNanos(ticker().nanoTime()))).get();
    }
  }

  @AfterEach
  void end() throws Exception {
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    group.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
  }

  @Test
  void aLoopThatHasConnectionsSleepsUntilSomethingComes() throws Exception {
    loop.register(new LocalChannel()).sync();
    assertThat(loop.sleep()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    for (int i = 0; i < 2; i++) {
      var channel = new LocalChannel();
      resting.postInitializeClientChannel(channel);
      loop.register(channel).sync();
      assertThat(loop.sleep()).isGreaterThan(Duration.ofDays(365));
      assertThat(channel.pipeline().names()).as("handlers").hasSize(1);
    }
  }

  @Test
  void nettyFindsIt() {
    assertThat(ServiceLoader.load(ChannelInitializerExtension.class))
        .hasExactlyElementsOfTypes(IdleEventLoops.class);
  }
}

package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import fleet.registry.Recorder;
import fleet.registry.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log that an operator reads while etcd is away. */
class OutageLogTest {

  private static final int WATCHES = 9;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  @TempDir Path directory;

  @Test
  void anOutageIsToldOnceAndItsEndOnceHoweverManyWatchesThereAre() throws Exception {
    List<Watch> watches = new ArrayList<>();
    try (EtcdServer etcd = EtcdServer.start(directory);
        EtcdRegistry registry = Registries.open(etcd.client(), "one", TIMEOUT);
        Told told = new Told()) {
      for (int i = 0; i < WATCHES; i++) {
        String prefix = "p" + i + "/";
        watches.add(registry.watch(prefix, registry.read(prefix), new Recorder()));
      }
      BlockingQueue<Optional<String>> heard = new LinkedBlockingQueue<>();
      registry.onOutage(heard::add);
      assertThat(heard.poll()).as("how it is at first").isEmpty();
      etcd.kill();
      assertThat(told.next()).startsWith("WARN registry: no changes arrive for now: etcd at ");
      assertThat(heard.take()).hasValueSatisfying(why -> assertThat(why).contains("etcd at "));
      etcd.restart();
      assertThat(told.next()).isEqualTo("INFO registry: changes arrive again; none was missed");
      assertThat(heard.take()).isEmpty();
      watches.forEach(Watch::close);
      assertThat(told.lines).isEmpty();
    }
  }

  /** All that the registry logs at info and above. */
  private static final class Told extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger logger =
        (Logger) LoggerFactory.getLogger(EtcdRegistry.class.getPackageName());
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Told() {
      logger.setLevel(Level.INFO);
      start();
      logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
        lines.add(event.getLevel() + " " + event.getFormattedMessage());
      }
    }

    String next() throws InterruptedException {
      return String.valueOf(lines.take());
    }

    @Override
    public void close() {
      logger.detachAppender(this);
      logger.setLevel(null);
    }
  }
}

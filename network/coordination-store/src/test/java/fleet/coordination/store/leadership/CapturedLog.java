package fleet.coordination.store.leadership;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The messages that a class logs at a level and above. */
final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger;
  private final Level level;
  private final List<String> messages = new CopyOnWriteArrayList<>();

  CapturedLog(Class<?> of, Level level) {
    this.logger = (Logger) LoggerFactory.getLogger(of);
    this.level = level;
    logger.setLevel(level);
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(level)) {
      messages.add(event.getFormattedMessage());
    }
  }

  List<String> messages() {
    return messages;
  }

  long count(String part) {
    return messages.stream().filter(message -> message.contains(part)).count();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(null);
  }
}

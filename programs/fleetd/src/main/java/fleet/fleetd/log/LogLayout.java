package fleet.fleetd.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import fleet.core.text.SingleLine;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * {@code LEVEL Logger: text}. For the journal, which knows the time itself, each line starts with
 * its priority as {@code <N>}; for people, with the local time. A trace follows in lines of its
 * own.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  private final boolean journal;

  LogLayout(boolean journal) {
    this.journal = journal;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String start = journal ? priority(event.getLevel()) : time(event.getInstant());
    StringBuilder text = new StringBuilder();
    text.append(event.getLevel()).append(' ').append(simpleName(event.getLoggerName()));
    // One line: text from machines and people must not begin a new line.
    text.append(": ").append(SingleLine.of(event.getFormattedMessage()));
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      trace(text, ThrowableProxyUtil.asString(thrown));
    }
    // Every line needs its own priority, or the journal takes it for information.
    StringBuilder lines = new StringBuilder();
    text.toString()
        .lines()
        .forEach(line -> lines.append(start).append(line).append(System.lineSeparator()));
    return lines.toString();
  }

  /** Messages of faults may have lines as well, so that no line may look like the log's own. */
  private static void trace(StringBuilder text, String trace) {
    trace.lines().forEach(line -> text.append("\n| ").append(SingleLine.ofEach(line).strip()));
  }

  private static String priority(Level level) {
    return switch (level.toInt()) {
      case Level.ERROR_INT -> "<3>";
      case Level.WARN_INT -> "<4>";
      case Level.INFO_INT -> "<6>";
      default -> "<7>";
    };
  }

  private static String time(Instant instant) {
    return TIME.format(instant) + " ";
  }

  private static String simpleName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }
}

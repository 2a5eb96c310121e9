package fleet.fleetd.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sets the log up in code, which spares the daemon an XML parser: fleet's own lines from info on,
 * those of libraries from warning on.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  static final String OWN = "fleet";

  /** gRPC logs past logback; kept here, since levels go with loggers that nobody holds. */
  private static final java.util.logging.Logger GRPC =
      java.util.logging.Logger.getLogger("io.grpc");

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    LogLayout layout = new LogLayout(JournalStream.isStandardError(System.getenv()));
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    context.getLogger(OWN).setLevel(Level.INFO);
    GRPC.setLevel(java.util.logging.Level.SEVERE);
    // Its errors also reach fleet, which logs them itself.
    context.getLogger("io.etcd").setLevel(Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}

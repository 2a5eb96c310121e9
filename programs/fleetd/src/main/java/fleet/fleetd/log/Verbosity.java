package fleet.fleetd.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** How much of fleet's own log is written. */
public final class Verbosity {
  private Verbosity() {}

  /**
   * Takes effect at once.
   *
   * @param verbosity above 0: debug
   */
  public static void set(int verbosity) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(LogConfigurator.OWN).setLevel(verbosity > 0 ? Level.DEBUG : Level.INFO);
    }
  }
}

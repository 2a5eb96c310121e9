package fleet.fleetd;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles faults that end a thread. After an {@link Error}, such as a lack of memory, the process
 * may be half dead: an engine without its loop would keep the lead and do nothing. So fleetd ends,
 * and a new process begins with a fresh state; units go on running meanwhile.
 */
final class FatalErrorHandler implements Thread.UncaughtExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(FatalErrorHandler.class);

  private FatalErrorHandler() {}

  /** For all threads of this process. */
  static void ofThisProcess() {
    Thread.setDefaultUncaughtExceptionHandler(new FatalErrorHandler());
  }

  @Override
  public void uncaughtException(Thread thread, Throwable fault) {
    if (fault instanceof Error) {
      try {
        LOG.error("{}: {}", thread.getName(), fault, fault);
        Daemon.giveUp(thread.getName() + " has ended with a fault that it cannot go on after");
      } finally {
        // If there is no memory left even to say so.
        Runtime.getRuntime().halt(1);
      }
    }
    LOG.error("{}: unexpected fault: {}", thread.getName(), fault, fault);
  }
}

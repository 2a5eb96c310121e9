package fleet.daemon;

import fleet.daemon.config.ConfigurationException;
import fleet.daemon.config.LoadedConfiguration;
import fleet.daemon.log.Verbosity;
import fleet.daemon.notify.ServiceNotifier;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the signals, one at a time, and keeps systemd informed. Safe for many threads. */
final class LifeCycle implements Signals.Handler {
  private static final Logger LOG = LoggerFactory.getLogger(LifeCycle.class);

  private final ServiceNotifier notifier;
  private final Reader reader;
  private final PrintStream out;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ReentrantLock oneAtATime = new ReentrantLock();
  private volatile Optional<Service> service = Optional.empty();

  /** Reads the configuration anew. */
  @FunctionalInterface
  interface Reader {
    LoadedConfiguration read() throws ConfigurationException;
  }

  LifeCycle(ServiceNotifier notifier, Reader reader, PrintStream out) {
    this.notifier = notifier;
    this.reader = reader;
    this.out = out;
  }

  void started(Service running) {
    service = Optional.of(running);
    notifier.ready(running.status());
  }

  void awaitStop() throws InterruptedException {
    stop.await();
  }

  @Override
  public void stop() {
    LOG.info("Gracefully shutting down");
    notifier.stopping("stopping; units keep running");
    if (service.isEmpty()) {
      // A start may wait for something that does not come; there is nothing yet to put in order.
      Runtime.getRuntime().halt(0);
    }
    stop.countDown();
  }

  @Override
  public void reload() {
    oneAtATime.lock();
    try {
      service.ifPresent(this::reload);
    } finally {
      oneAtATime.unlock();
    }
  }

  private void reload(Service running) {
    LOG.info("Reloading configuration");
    notifier.reloading();
    try {
      LoadedConfiguration loaded = reader.read();
      Verbosity.set(loaded.configuration().verbosity());
      loaded.notices().forEach(Fleetd::say);
      running.reload(loaded.configuration());
    } catch (ConfigurationException e) {
      LOG.error("{} (the former configuration stays in force)", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("The configuration could not be taken on in full", e);
    } finally {
      notifier.ready(running.status());
    }
  }

  @Override
  public void dump() {
    oneAtATime.lock();
    try {
      LOG.info("Dumping server state");
      service.ifPresent(running -> running.dump(out));
    } finally {
      oneAtATime.unlock();
    }
  }
}

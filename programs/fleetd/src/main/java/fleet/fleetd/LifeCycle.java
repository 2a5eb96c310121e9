package fleet.fleetd;

import fleet.fleetd.config.ConfigurationException;
import fleet.fleetd.config.LoadedConfiguration;
import fleet.fleetd.log.Verbosity;
import fleet.fleetd.notify.ServiceNotifier;
import fleet.systemd.ServiceJob;
import fleet.systemd.SystemdException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the signals, one at a time, and keeps systemd informed. Safe for many threads. */
final class LifeCycle implements Signals.Handler {
  private static final Logger LOG = LoggerFactory.getLogger(LifeCycle.class);

  /** For the next unit to stop; as much as fleet.service has at first. */
  private static final Duration TIME_TO_STOP = Duration.ofMinutes(5);

  private final ServiceNotifier notifier;
  private final Reader reader;
  private final OwnService service;
  private final InstantSource clock = InstantSource.system();
  private final PrintStream out;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile Optional<RunningDaemon> daemon = Optional.empty();

  /** Reads the configuration again. */
  @FunctionalInterface
  interface Reader {
    LoadedConfiguration read() throws ConfigurationException;
  }

  /** The service of systemd that this process is. Each answer takes a second or so at most. */
  interface OwnService {
    /** systemd's part in the end of this process. */
    ServiceJob job();

    /**
     * Has systemd listen for this service no longer.
     *
     * @return the name of the socket unit; empty if there is none
     * @throws SystemdException if that cannot be done
     */
    Optional<String> stopSocket();
  }

  LifeCycle(ServiceNotifier notifier, Reader reader, OwnService service, PrintStream out) {
    this.notifier = notifier;
    this.reader = reader;
    this.service = service;
    this.out = out;
  }

  void started(RunningDaemon running) {
    daemon = Optional.of(running);
    notifier.ready(running.status());
  }

  /** A part that has started cannot go on after all. */
  void fail(Exception why) {
    failure.compareAndSet(null, why);
    stop.countDown();
  }

  /**
   * Waits for the end.
   *
   * @throws Exception what {@link #fail} was told
   */
  void awaitStop() throws Exception {
    stop.await();
    Exception why = failure.get();
    if (why != null) {
      throw why;
    }
  }

  @Override
  public void stop() {
    if (!stopping.compareAndSet(false, true)) {
      LOG.info("Already stopping");
      return;
    }
    LOG.info("Gracefully shutting down");
    if (daemon.isEmpty()) {
      // A start may wait for ever; there is nothing to shut down yet.
      notifier.stopping("stopping; units keep running");
      stopSocketForGood();
      Runtime.getRuntime().halt(0);
    }
    stop.countDown();
  }

  /**
   * If fleetd ends for good, moves this machine's units elsewhere unless it is in maintenance, and
   * has systemd send no more clients. Otherwise units stay, and clients wait for the next fleetd.
   */
  void leave(RunningDaemon running) throws InterruptedException {
    try {
      if (running.canRelease() && endsForGood()) {
        releaseUnits(running);
      } else {
        notifier.stopping("stopping; units keep running");
      }
    } finally {
      stopSocketForGood();
    }
  }

  private void releaseUnits(RunningDaemon running) throws InterruptedException {
    Optional<Instant> maintenance = running.maintenance();
    if (maintenance.filter(until -> until.isAfter(clock.instant())).isPresent()) {
      LOG.info("in maintenance until {}: units keep running, and stay here", maintenance.get());
      notifier.stopping("stopping; units keep running, in maintenance until " + maintenance.get());
      return;
    }
    maintenance.ifPresent(until -> LOG.warn("the maintenance was over at {}", until));
    notifier.stopping("releasing units");
    running.release((units, all) -> {
      notifier.extendTimeout(TIME_TO_STOP);
      notifier.status("releasing: %d of %d units stopped".formatted(units, all));
    });
    notifier.status("units released");
  }

  /** If that is unknown, units stay: to stop them by mistake is worse than to be slow. */
  private boolean endsForGood() {
    ServiceJob job = service.job();
    switch (job) {
      case ServiceJob.Pending(String unit, String type) ->
          LOG.info("systemd has a {} job for {}", type, unit);
      case ServiceJob.None(String unit) ->
          LOG.info("systemd has no job for {}: units keep running", unit);
      case ServiceJob.NoService() -> LOG.info("not run by systemd: units keep running");
      case ServiceJob.Unknown(String why) ->
          LOG.warn("cannot ask systemd why fleetd is to end ({}): units keep running", why);
    }
    return job.endsForGood();
  }

  /**
   * Else the next client would have systemd start fleetd again. The job may have changed while
   * units were released.
   */
  private void stopSocketForGood() {
    if (!service.job().endsForGood()) {
      return;
    }
    try {
      service.stopSocket().ifPresent(socket -> LOG.info("{} stops as well", socket));
    } catch (SystemdException e) {
      LOG.warn(
          "systemd cannot stop the socket of fleetd ({}): the next client has it start fleetd again,"
              + " unless you stop that unit yourself",
          e.getMessage());
    }
  }

  @Override
  public synchronized void reload() {
    daemon.ifPresent(this::reload);
  }

  private void reload(RunningDaemon running) {
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
  public synchronized void dump() {
    LOG.info("Dumping server state");
    daemon.ifPresent(running -> running.dump(out));
  }
}

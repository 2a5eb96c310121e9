package fleet.fleetd.notify;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps systemd from restarting fleetd for as long as all is well with it. A probe that says no, or
 * does not come back, leaves systemd without a sign of life, and it restarts fleetd when the time
 * it allows is over.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

  private final ServiceNotifier notifier;
  private final Duration interval;
  private final HealthProbe probe;
  private final Thread thread;

  private Watchdog(ServiceNotifier notifier, Duration interval, HealthProbe probe) {
    this.notifier = notifier;
    this.interval = interval;
    this.probe = probe;
    this.thread = Thread.ofPlatform().daemon().name("watchdog").start(this::run);
  }

  /** Starts one if the systemd that started this process watches it. */
  public static Optional<Watchdog> start(
      Map<String, String> environment, ServiceNotifier notifier, HealthProbe probe) {
    return interval(environment, ProcessHandle.current().pid())
        .map(interval -> new Watchdog(notifier, interval, probe));
  }

  /** Half of the time that systemd waits for a sign of life, if it waits for this process. */
  static Optional<Duration> interval(Map<String, String> environment, long pid) {
    String watched = environment.getOrDefault("WATCHDOG_PID", Long.toString(pid));
    String limit = environment.getOrDefault("WATCHDOG_USEC", "");
    if (limit.isEmpty() || !watched.equals(Long.toString(pid))) {
      return Optional.empty();
    }
    try {
      long micros = Long.parseLong(limit);
      return micros > 1
          ? Optional.of(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros / 2)))
          : Optional.empty();
    } catch (NumberFormatException e) {
      LOG.warn("WATCHDOG_USEC=\"{}\" is not a number: no watchdog", limit);
      return Optional.empty();
    }
  }

  private void run() {
    try {
      while (true) {
        Optional<String> trouble = probe.trouble();
        if (trouble.isEmpty()) {
          notifier.alive(probe.status());
        } else {
          LOG.error("systemd gets no sign of life and will restart fleetd: {}", trouble.get());
        }
        Thread.sleep(interval);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

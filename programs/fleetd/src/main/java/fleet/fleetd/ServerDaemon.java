package fleet.fleetd;

import fleet.agent.ReleaseProgress;
import fleet.api.Backend;
import fleet.api.listen.ListenException;
import fleet.cluster.NotLeadingException;
import fleet.cluster.NotStartedException;
import fleet.cluster.request.ApiHandler;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.fleetd.config.Configuration;
import fleet.registry.RegistryException;
import fleet.relay.RequestService;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import fleet.systemd.dbus.DBusSystemd;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * fleetd on a machine that has a registry. It waits for late dependencies, such as etcd, the
 * network or D-Bus, and ends only for faults that a person must correct. Answers say meanwhile what
 * it waits for. After a while it counts as started even so, so that no unit that is ordered after
 * it fails for good, and continues in the background.
 */
final class ServerDaemon implements RunningDaemon {

  private static final Logger LOG = LoggerFactory.getLogger(ServerDaemon.class);

  /** Well within TimeoutStartSec= of fleet.service. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration TIME_TO_END = Duration.ofSeconds(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final StartupInputs startup;
  private final Duration patience;
  private final StartupWait wait;
  private final HttpApi api;
  private final RequestService requests;
  private final CompletableFuture<Daemon> parts = new CompletableFuture<>();
  private final Thread starting = Thread.ofPlatform().name("start").unstarted(this::begin);
  private volatile Optional<Daemon> running = Optional.empty();
  private boolean serving;

  private ServerDaemon(StartupInputs startup, Duration patience) throws ListenException {
    this.startup = startup;
    this.patience = patience;
    this.wait = new StartupWait(startup.notifier(), Clock.systemUTC());
    this.api = new HttpApi(startup, new Awaited(), this::unready);
    startup.metrics().ask(this::tell);
    this.requests = new RequestService(api.relayed(), this::awaitRevision);
  }

  /** Returns when it has begun, or goes on waiting. */
  static RunningDaemon start(StartupInputs startup) throws Exception {
    return start(startup, PATIENCE);
  }

  /**
   * @param patience how long this waits
   */
  static RunningDaemon start(StartupInputs startup, Duration patience) throws Exception {
    ServerDaemon daemon = new ServerDaemon(startup, patience);
    try {
      daemon.awaitBegun();
      return daemon;
    } catch (Exception e) {
      daemon.close();
      throw e;
    }
  }

  private void awaitBegun() throws Exception {
    starting.start();
    try {
      parts.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      LOG.info("units that are ordered after fleet.service may start, since this may take long");
      var _ = parts.whenComplete(this::begunLate);
    }
  }

  private void begunLate(@Nullable Daemon begun, @Nullable Throwable failure) {
    if (failure == null) {
      startup.notifier().status(status());
    } else {
      startup.failed().accept(failure instanceof Exception e ? e : new ExecutionException(failure));
    }
  }

  private Daemon there() {
    return running.orElseThrow(() -> new NotStartedException(wait.text()));
  }

  /** A fleetd that relays a request meanwhile retries: this one may lead once it has begun. */
  private void awaitRevision(long revision) {
    running.orElseThrow(() -> new NotLeadingException(wait.text())).awaitRevision(revision);
  }

  /** The daemon, which is there later than the API that answers with it. */
  private final class Awaited implements Backend {
    @Override
    public Optional<Server> server() {
      return Optional.of(there().server());
    }

    @Override
    public Optional<ApiHandler> leader() {
      return there().leader();
    }
  }

  // ---- beside

  private void begin() {
    try {
      Daemon begun = awaited();
      running = Optional.of(begun);
      wait.isOver();
      serve();
      begun.awaitPeople();
      startup.configuration().etcd().ifPresent(FormerClusterNotice::begin);
      parts.complete(begun);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      parts.completeExceptionally(e);
    } catch (Exception | Error e) {
      parts.completeExceptionally(e);
    }
  }

  private Daemon awaited() throws Exception {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        return new Daemon(startup, requests.bindService(), api);
      } catch (RegistryException e) {
        if (startup.configuration().etcd().isEmpty() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        waits(ServerComponents.where(startup.configuration().etcd().get()), e);
      } catch (SystemdException e) {
        awaitSystemd(e);
      }
      Thread.sleep(pause);
      pause = longer(pause);
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  /** Checks systemd alone: everything else works, and need not be started and stopped each time. */
  private void awaitSystemd(SystemdException first) throws Exception {
    Duration pause = FIRST_PAUSE;
    Optional<SystemdException> missing = Optional.of(first);
    while (missing.isPresent()) {
      waits("systemd", missing.get());
      Thread.sleep(pause);
      pause = longer(pause);
      missing = askedSystemd();
    }
  }

  private Optional<SystemdException> askedSystemd() {
    try {
      DBusSystemd.connect(startup.manager(), new Unconcerned()).close();
      return Optional.empty();
    } catch (SystemdException e) {
      return Optional.of(e);
    }
  }

  private void waits(String what, Exception why) throws ListenException {
    serve();
    wait.is(what, String.valueOf(why.getMessage()));
    startup.notifier().extendTimeout(patience.multipliedBy(2));
  }

  private synchronized void serve() throws ListenException {
    if (!serving) {
      serving = true;
      api.start();
    }
  }

  // ---- what systemd, people and monitoring ask of it

  private Optional<String> unready() throws InterruptedException {
    Optional<Daemon> begun = running;
    return begun.isPresent() ? begun.get().unready() : Optional.of(wait.text());
  }

  private void tell(Meter meter) throws InterruptedException {
    meter.flag(Metric.FLEET_READY, unready().isEmpty());
    Optional<Daemon> begun = running;
    if (begun.isPresent()) {
      begun.get().tell(meter);
    }
  }

  @Override
  public String status() {
    return running.map(Daemon::status).orElseGet(wait::text);
  }

  @Override
  public Optional<String> trouble() throws InterruptedException {
    return running.isPresent() ? running.get().trouble() : Optional.empty();
  }

  @Override
  public void reload(Configuration configuration) {
    startup.facts().reconfigure(configuration);
  }

  @Override
  public void dump(PrintStream out) {
    running.ifPresent(daemon -> daemon.dump(out));
  }

  /** A fleetd that has not begun knows of no units. */
  @Override
  public boolean canRelease() {
    return running.filter(Daemon::canRelease).isPresent();
  }

  @Override
  public Optional<Instant> maintenance() {
    return running.flatMap(Daemon::maintenance);
  }

  @Override
  public void release(ReleaseProgress progress) throws InterruptedException {
    if (running.isPresent()) {
      running.get().release(progress);
    }
  }

  @Override
  public void close() {
    starting.interrupt();
    try {
      if (!starting.join(TIME_TO_END)) {
        LOG.warn("the start does not end in time; fleetd ends in the middle of it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      if (serving) {
        api.close();
      }
    }
    running.ifPresent(this::close);
  }

  /** Requests that other servers have relayed to this leader are answered before it resigns. */
  private void close(Daemon begun) {
    begun.refuseMore();
    try {
      requests.drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    begun.close();
  }

  /** Hears of no unit, as none is followed. */
  private static final class Unconcerned implements Systemd.Listener {
    @Override
    public void changed(UnitName unit, SystemdState state) {}

    @Override
    public void reconnected() {}

    @Override
    public void disconnected(String why) {}
  }
}

package fleet.systemd.dbus;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A manager of systemd over D-Bus.
 *
 * <p>A call that finds the connection lost waits up to ten seconds for another. A call that is
 * under way when it is lost fails with a {@link SystemdException} whose error name is empty,
 * because nobody can tell whether systemd did what it was asked. Jobs live on: those still there
 * after the connection is back are followed on, the futures of those that ended meanwhile fail
 * likewise.
 *
 * <p>The future of a job tells all its faults, also that systemd refuses to make it. Code attached
 * to these futures runs on threads that may block. A {@link Listener} must not block and must make
 * no calls, because the thread that calls it is the one that reads the answers.
 */
public final class DBusSystemd implements Systemd {

  private static final Logger log = LoggerFactory.getLogger(DBusSystemd.class);
  private static final int SIGKILL = 9;
  private static final Duration RELOAD_PATIENCE = Duration.ofMinutes(10);

  private final Listener listener;
  private final FollowedUnits followed = new FollowedUnits();
  private final Jobs jobs = new Jobs();
  private final BusRules rules = new BusRules();
  private final BusSession session;

  private DBusSystemd(ManagerAddress address, Listener listener) {
    this.listener = listener;
    session = new BusSession(address, new Owner());
  }

  /**
   * Connects to a manager.
   *
   * @throws SystemdException if it cannot be reached
   */
  public static DBusSystemd connect(ManagerAddress address, Listener listener) {
    DBusSystemd systemd = new DBusSystemd(address, listener);
    systemd.session.start();
    return systemd;
  }

  @Override
  public List<Path> unitPath() {
    MethodCall call =
        MethodCall.ofProperty(
            "tell its unit path", MethodCall.MANAGER_PATH, MethodCall.MANAGER, "UnitPath");
    return PendingReplies.await(session.link().call(call, Unmarshaller::stringsVariant)).stream()
        .map(Path::of)
        .toList();
  }

  @Override
  public Path runtimeDirectory() {
    return RuntimeDirectory.in(unitPath());
  }

  @Override
  public long softReboots() {
    MethodCall call =
        MethodCall.ofProperty(
            "tell its soft reboots",
            MethodCall.MANAGER_PATH,
            MethodCall.MANAGER,
            "SoftRebootsCount");
    try {
      return PendingReplies.await(session.link().call(call, Unmarshaller::numberVariant));
    } catch (SystemdException e) {
      if (!e.isNoSuchProperty()) {
        throw e;
      }
      return 0;
    }
  }

  @Override
  public void reload() {
    MethodCall call = MethodCall.ofManager("reload", "Reload", "");
    PendingReplies.await(session.link().call(call, body -> true), RELOAD_PATIENCE);
  }

  @Override
  public CompletableFuture<JobResult> start(UnitName unit) {
    return job("start", "StartUnit", unit, "replace");
  }

  @Override
  public CompletableFuture<JobResult> stop(UnitName unit) {
    // Units may have come into a slice since somebody looked: they run on.
    String mode = unit.type() == UnitType.SLICE ? "ignore-dependencies" : "replace";
    return job("stop", "StopUnit", unit, mode);
  }

  @Override
  public CompletableFuture<JobResult> restart(UnitName unit) {
    return job("restart", "RestartUnit", unit, "replace");
  }

  private CompletableFuture<JobResult> job(
      String purpose, String member, UnitName unit, String mode) {
    CompletableFuture<JobResult> result = new CompletableFuture<>();
    MethodCall call = MethodCall.ofManager(purpose + " " + unit, member, "ss", unit.value(), mode);
    BusConnection link = session.link();
    jobs.asking(unit);
    try {
      boolean _ =
          PendingReplies.await(
              link.call(
                  call,
                  body -> {
                    jobs.made(unit, body.string(), result);
                    return true;
                  }));
    } finally {
      jobs.answered(unit);
    }
    return result;
  }

  @Override
  public void kill(UnitName unit) {
    MethodCall call =
        MethodCall.ofManager("kill " + unit, "KillUnit", "ssi", unit.value(), "all", SIGKILL);
    try {
      PendingReplies.await(session.link().call(call, body -> true));
    } catch (SystemdException e) {
      if (!e.isNoSuchUnit() && !e.error().endsWith(".NoSuchProcess")) {
        throw e;
      }
    }
  }

  @Override
  public void resetFailed(UnitName unit) {
    MethodCall call = MethodCall.ofUnit("reset", "ResetFailedUnit", unit);
    try {
      PendingReplies.await(session.link().call(call, body -> true));
    } catch (SystemdException e) {
      if (!e.isNoSuchUnit()) {
        throw e;
      }
      // Since 229 a unit that is not in memory is an error, and has not failed either.
    }
  }

  @Override
  public Map<UnitName, SystemdState> states(Collection<UnitName> units) {
    Map<String, TrackedUnit> records = new LinkedHashMap<>();
    for (UnitName unit : units) {
      records.put(unit.value(), followed.find(unit).orElseGet(() -> new TrackedUnit(unit)));
    }
    new StateReader(session.link()).read(records);
    Map<UnitName, SystemdState> states = new HashMap<>();
    records.values().forEach(record -> states.put(record.unit(), record.state()));
    return states;
  }

  @Override
  public List<KnownUnit> known(Collection<UnitName> units) {
    BusConnection link = session.link();
    return new StateReader(link).known(units).stream().map(unit -> describe(link, unit)).toList();
  }

  private static KnownUnit describe(BusConnection link, UnitName unit) {
    String path = UnitPaths.of(unit);
    MethodCall load = MethodCall.ofProperty("describe " + unit, path, UnitPaths.UNIT, "LoadState");
    MethodCall fragment =
        MethodCall.ofProperty("describe " + unit, path, UnitPaths.UNIT, "FragmentPath");
    CompletableFuture<String> loaded = link.call(load, Unmarshaller::stringVariant);
    CompletableFuture<String> file = link.call(fragment, Unmarshaller::stringVariant);
    return new KnownUnit(unit, PendingReplies.await(loaded), PendingReplies.await(file));
  }

  @Override
  public Set<UnitName> stoppedWith(UnitName unit) {
    return new StopPropagation(session.link()).from(unit);
  }

  @Override
  public void follow(Collection<UnitName> units) {
    followed.add(units);
    rules.add(units.stream().map(UnitPaths::of).toList());
  }

  @Override
  public void unfollow(Collection<UnitName> units) {
    followed.remove(units);
    rules.remove(units.stream().map(UnitPaths::of).toList());
  }

  @Override
  public void close() {
    session.close();
    jobs.close();
  }

  /** Receives the calls of the session's threads. */
  private final class Owner implements BusSession.Owner {

    /** The ping that is under way; only one at a time. */
    private volatile @Nullable BusConnection pinged;

    /** While systemd reads its unit files again, it removes all units and adds them again. */
    private volatile boolean reloading;

    @Override
    public void prepare(BusConnection link) {
      if (link.isOnBus()) {
        PendingReplies.await(
            link.call(MethodCall.ofBus("join the bus", "Hello", ""), body -> true));
        rules.renew(link, followed.paths());
      }
      PendingReplies.await(
          link.call(MethodCall.ofManager("send signals", "Subscribe", ""), body -> true));
      jobs.followed().stream().map(job -> check(link, job)).toList().forEach(PendingReplies::await);
    }

    /** Whether a job from before is still there, and still is that unit's. */
    private CompletableFuture<Boolean> check(BusConnection link, Jobs.Followed job) {
      MethodCall call =
          MethodCall.ofProperty("find the job", job.path(), "org.freedesktop.systemd1.Job", "Unit");
      return link.call(call, DBusSystemd::unitOfJob)
          .handle((unit, error) -> {
            boolean answered = !(error instanceof SystemdException e) || !e.error().isEmpty();
            if (answered && !job.unit().value().equals(unit)) {
              jobs.lost(job, "it ended while the connection to systemd was lost");
            }
            return answered;
          });
    }

    @Override
    public void signal(Frame signal) throws IOException {
      String path = signal.path();
      if (path.equals(MethodCall.MANAGER_PATH)) {
        managerSignal(signal);
      } else if (path.startsWith(UnitPaths.PREFIX)) {
        followed.signal(signal);
      } else if (signal.member().equals("NameOwnerChanged")) {
        throw new EOFException("systemd left the bus, or came back to it");
      }
    }

    private void managerSignal(Frame signal) throws IOException {
      switch (signal.member()) {
        case "JobRemoved" -> {
          if (!jobs.isIdle()) {
            jobRemoved(signal.body());
          }
        }
        case "UnitRemoved" -> {
          if (!reloading) {
            Unmarshaller body = signal.body();
            body.string(); // name
            followed.removed(body.string());
          }
        }
        case "Reloading" -> {
          reloading = signal.body().bool();
          if (!reloading) {
            // Files may have come or gone, and no signal tells of load states.
            Thread.startVirtualThread(this::listAgain);
          }
        }
        default -> {
          // Units and jobs that are new: what becomes of them is heard of by other signals.
        }
      }
    }

    private void jobRemoved(Unmarshaller body) {
      body.unsignedInt(); // id
      String path = body.string();
      String unit = body.string();
      String result = body.string();
      // The unit's signals came before: a waiter for the job finds its state reported.
      followed.drain(unit, this::changed);
      jobs.ended(path, unit, result);
    }

    private void listAgain() {
      tell(listener::reloaded);
      Map<String, TrackedUnit> records = followed.byName();
      if (records.isEmpty()) {
        return;
      }
      try {
        PendingReplies.await(new StateReader(session.link()).list(records, followed::touch));
      } catch (SystemdException e) {
        log.warn("units may be shown with the state before the reload: {}", e.getMessage());
      }
    }

    /**
     * Tells of changes when systemd has answered a ping, which it does when it has finished what it
     * is at. Before, it signals states that last no longer than that: a service that is restarted
     * by {@code Restart=} is {@code failed} for a moment, one that starts {@code inactive} with its
     * new invocation.
     */
    @Override
    public void caughtUp(BusConnection link) {
      if (followed.isTouched() && !link.equals(pinged)) {
        pinged = link;
        if (!link.tryCall(MethodCall.ofPing(), (answered, error) -> settled(error))) {
          // Answers are to come, and with them another occasion.
          pinged = null;
        }
      }
    }

    private void settled(@Nullable Throwable error) {
      pinged = null;
      if (!isLost(error)) {
        followed.drain(this::changed);
      }
    }

    private void changed(TrackedUnit unit) {
      tell(() -> listener.changed(unit.unit(), unit.state()));
    }

    @Override
    public void lost(String why) {
      reloading = false;
      followed.missedSignals();
      tell(() -> listener.disconnected(why));
    }

    @Override
    public void restored() {
      tell(listener::reconnected);
    }

    private void tell(Runnable news) {
      session.inTurn(() -> {
        try {
          news.run();
        } catch (RuntimeException e) {
          log.error("the listener to systemd failed", e);
        }
      });
    }
  }

  private static boolean isLost(@Nullable Throwable error) {
    return error instanceof SystemdException e && e.error().isEmpty();
  }

  private static String unitOfJob(Unmarshaller body) throws ProtocolException {
    body.structVariant("(so)");
    return body.string();
  }
}

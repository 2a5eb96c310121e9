package fleet.engine;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.coordination.EventLoop;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ChangedSubject;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ReportPath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which machines are present and which of their reports count. A machine reports through
 * the store, to the leader directly, or changes between the two; then its reports to the leader
 * count. Two processes may claim one machine; then the first one stays. Owned by the state thread.
 */
final class PresenceArbiter {

  private static final Logger log = LoggerFactory.getLogger(PresenceArbiter.class);

  private final ClusterState cluster;
  private final StateLists images;
  private final WorkQueue queue;
  private final OpenOffers offers;
  private final EventBuilder events;
  private final EventLoop loop;
  private final EngineSettings settings;
  private final Supplier<StateListener> listener;
  private final ShadowedReports shadowed = new ShadowedReports();
  private final IgnoredReports ignored = new IgnoredReports();

  PresenceArbiter(
      LiveState state,
      EventBuilder events,
      EventLoop loop,
      EngineSettings settings,
      Supplier<StateListener> listener) {
    this.cluster = state.cluster();
    this.images = state.images();
    this.queue = state.queue();
    this.offers = state.offers();
    this.events = events;
    this.loop = loop;
    this.settings = settings;
    this.listener = listener;
  }

  private StateListener listener() {
    return listener.get();
  }

  /** Whether a machine reports to the leader directly. */
  boolean isDirect(String machine) {
    return cluster.machines().isPresent(ReportPath.DIRECT, machine);
  }

  // ---- machines

  /** The settings of a machine have changed, whether it is there or not. */
  void settingsChanged(String id) {
    descriptionChanged(id);
    listener().settingsChanged(id);
  }

  /** The description of a machine that is there has changed. */
  private void descriptionChanged(String id) {
    images.machinesChanged();
    queue.machineChanged(id);
    cluster.machines().of(id).ifPresent(machine -> events.add(Event.Body.of(machine, false)));
    cluster.machines().of(id).ifPresent(machine -> listener().machineChanged(machine, false));
  }

  void present(ReportPath path, Machine machine) {
    String id = machine.id();
    Optional<Machine> there = duplicate(path, machine);
    if (there.isPresent()) {
      if (path == ReportPath.STORE) {
        shadowed.duplicate(machine);
      }
      listener().duplicate(machine, there.get());
      return;
    }
    if (path == ReportPath.STORE) {
      var _ = shadowed.takeDuplicate(id);
    }
    boolean came = !cluster.isThere(id);
    if (path == ReportPath.DIRECT && !cluster.machines().isPresent(path, id)) {
      withdrawUnheard(id, shadowed.begins(id, cluster.reports().by(id)));
    }
    boolean different = cluster.machines().present(path, machine);
    images.machinesChanged();
    if (different || !queue.judges(id)) {
      if (came) {
        queue.machineCame(id);
        offers.machineCame(id);
      } else {
        queue.machineChanged(id);
      }
      events.touch(cluster.schedule().unitsOn(id));
      cluster.machines().of(id).ifPresent(inForce -> events.add(Event.Body.of(inForce, came)));
    }
    listener().machineChanged(machine, came);
  }

  /** In the store, the next process may appear before the end of the last one is seen. */
  private Optional<Machine> duplicate(ReportPath path, Machine machine) {
    Optional<Machine> elsewhere = cluster.machines().duplicate(path.other(), machine);
    return path == ReportPath.STORE
        ? elsewhere
        : elsewhere.or(() -> cluster.machines().duplicate(path, machine));
  }

  void absent(ReportPath path, String id, boolean left, String why) {
    if (path == ReportPath.STORE && shadowed.takeDuplicate(id).isPresent()) {
      return;
    }
    Optional<Machine> before = cluster.machines().of(id);
    cluster.machines().absent(path, id);
    images.machinesChanged();
    if (cluster.machines().of(id).isPresent()) {
      presentByOtherTransport(id, before);
    } else {
      absent(id, before, left, why);
    }
  }

  /**
   * A machine no longer reports to the leader directly.
   *
   * @param left whether it said that it goes
   * @param emptied whether it has stopped its units
   */
  void goneDirectly(String id, boolean left, boolean emptied, String why) {
    if (!isDirect(id)) {
      return;
    }
    if (emptied) {
      // Nobody then waits until it has stopped its units.
      cluster
          .machines()
          .of(id)
          .map(machine -> machine.withIsolation(Isolation.KEEP))
          .ifPresent(machine -> cluster.machines().present(ReportPath.DIRECT, machine));
    }
    List<ChangedSubject> stored = shadowed.of(id);
    absent(ReportPath.DIRECT, id, left, why);
    listener().silent(id);
    shadowed
        .takeDuplicate(id)
        .ifPresent(duplicate -> {
          present(ReportPath.STORE, duplicate);
          stored.forEach(this::heard);
        });
  }

  private void presentByOtherTransport(String id, Optional<Machine> before) {
    if (!cluster.machines().of(id).equals(before)) {
      descriptionChanged(id);
    }
    List<ChangedSubject> stored = shadowed.of(id);
    shadowed.forget(id);
    if (cluster.machines().isPresent(ReportPath.STORE, id)) {
      Object since = shadowed.ends(id, cluster.reports().by(id));
      stored.forEach(this::heard);
      withdrawUnheard(id, since);
    }
  }

  /** Called once the machine has had time to report everything: earlier reports are void then. */
  private void withdrawUnheard(String machine, Object since) {
    loop.postAfter(
        settings.agentTtl(),
        () -> shadowed.takeUnheard(machine, since).forEach(unit -> withdrawn(machine, unit)));
  }

  private void absent(String id, Optional<Machine> before, boolean left, String why) {
    shadowed.gone(id);
    ignored.gone(id);
    images.statesChanged();
    // A machine that falls silent may have been gone for a while.
    Duration rest = left ? settings.rest() : settings.rest().plus(settings.agentTtl());
    cluster.ended().went(id, rest, loop.nanoTime());
    for (UnitName unit : cluster.reports().withdrawAll(id)) {
      events.stateGone(unit, id);
      touchUnit(unit);
    }
    queue.machineGone(id);
    offers.machineGone(id);
    events.touch(cluster.schedule().unitsOn(id));
    listener().machineWent(id, before, left);
    if (before.isPresent()) {
      events.add(new Event.Body(Kind.MACHINE_GONE, Subject.of(id), Cause.of(why)));
    }
  }

  // ---- reports

  /** A machine reports through the store, or takes a report back. */
  void stored(String machine, UnitName unit, ChangedSubject what) {
    boolean direct = isDirect(machine);
    if (direct) {
      shadowed.storeChanged(machine, unit, what);
    }
    if (direct && !shadowed.counts(machine, unit, what)) {
      shadowed.putBy(machine, unit, what);
    } else {
      heard(what);
    }
  }

  /** A machine reports to the leader directly. */
  void reportedDirectly(String machine, List<AgentReport> reports) {
    if (isDirect(machine)) {
      ignored
          .sift(machine, reports, cluster)
          .forEach(report -> {
            shadowed.heard(machine, report.unit());
            shadowed.overruled(machine, report.unit());
            reported(machine, report);
          });
    }
  }

  private void heard(ChangedSubject what) {
    if (what instanceof ChangedSubject.Reported(String machine, AgentReport report)) {
      shadowed.heard(machine, report.unit());
      reported(machine, report);
    } else if (what instanceof ChangedSubject.Withdrawn(String machine, UnitName unit)) {
      shadowed.heard(machine, unit);
      shadowed.overruled(machine, unit);
      withdrawn(machine, unit);
    }
  }

  private void reported(String machine, AgentReport report) {
    UnitName unit = report.unit();
    switch (report) {
      case AgentReport.Stated stated -> {
        cluster.ended().stated(stated.state(), loop.nanoTime());
        Optional<UnitState> changed = cluster.reports().stated(stated.state());
        if (changed.isPresent()) {
          images.statesChanged();
          events.add(Event.Body.of(changed.get()));
          events.touch(unit);
          queue.stateChanged(unit);
          if (cluster.schedule().of(unit).isEmpty()) {
            queue.touch(unit);
          }
        }
      }
      case AgentReport.Gone gone -> {
        cluster.ended().withdrawn(machine, unit, loop.nanoTime());
        stateGone(unit, machine, cluster.reports().gone(machine, gone));
        touchUnit(unit);
      }
      case AgentReport.Refused refused -> {
        log.warn("machine {} refused {}: {}", machine, unit, refused.why());
        stateGone(unit, machine, cluster.reports().refused(refused, machine));
        touchUnit(unit);
      }
      case AgentReport.Freed _ -> withdrawn(machine, unit);
    }
  }

  private void withdrawn(String machine, UnitName unit) {
    cluster.ended().withdrawn(machine, unit, loop.nanoTime());
    stateGone(unit, machine, cluster.reports().withdrawn(machine, unit));
    touchUnit(unit);
  }

  private void stateGone(UnitName unit, String machine, boolean known) {
    if (known) {
      images.statesChanged();
      events.stateGone(unit, machine);
    }
  }

  private void touchUnit(UnitName unit) {
    events.touch(unit);
    queue.unitChanged(unit);
  }
}

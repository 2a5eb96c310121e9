package fleet.engine;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.core.unit.UnitName;
import fleet.engine.state.ChangedSubject;
import fleet.engine.state.ClusterState;
import fleet.registry.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Collects the events of a turn of the loop, and publishes them at its end. Owned by the state
 * thread.
 */
final class EventBuilder {

  private final ClusterState cluster;
  private final UnitViews views;
  private final EventLog log;
  private final Set<UnitName> touched = new LinkedHashSet<>();
  private final List<Event.Body> news = new ArrayList<>();
  private Optional<AbsentMachines.Pause> told = Optional.empty();
  private Optional<Long> toldLeader = Optional.empty();
  private boolean loaded;

  EventBuilder(LiveState state, EventLog log) {
    this.cluster = state.cluster();
    this.views = state.views();
    this.log = log;
  }

  void add(Event.Body event) {
    news.add(event);
  }

  /** The view of a unit is to be looked at again. */
  void touch(UnitName unit) {
    touched.add(unit);
  }

  void touch(Collection<UnitName> units) {
    touched.addAll(units);
  }

  /** The units that changed since the last turn. */
  Set<UnitName> touched() {
    return touched;
  }

  // ---- what the registry says

  void configured(ChangedSubject.Configured set) {
    add(
        Event.Body.of(
            Event.Command.CONFIG,
            Subject.NONE,
            new Cause(set.now().by(), set.setting() + "=" + set.now().value())));
  }

  void stateGone(UnitName unit, String machine) {
    add(new Event.Body(Kind.STATE_GONE, Subject.of(unit, machine), Cause.NONE));
  }

  /**
   * The leader's key may have changed.
   *
   * @param leads whether this engine leads, with or without a key
   */
  void leaderChanged(boolean leads) {
    if (!toldLeader.equals(cluster.leader().map(Entry::created))) {
      add(leader(leads));
    }
  }

  private Event.Body leader(boolean leads) {
    Optional<Entry> leader = cluster.leader();
    toldLeader = leader.map(Entry::created);
    Subject subject = cluster.leadingMachine().map(Subject::of).orElse(Subject.NONE);
    String none = leads ? "the only engine leads" : "no engine leads";
    String why = leader.map(known -> "token " + known.created()).orElse(none);
    return new Event.Body(Kind.LEADER, subject, Cause.of(why));
  }

  void pauseChanged() {
    Optional<AbsentMachines.Pause> now = MissingMachines.inForce(cluster.pause());
    if (!now.equals(told)) {
      news.add(
          now.isPresent()
              ? new Event.Body(Kind.RESCHEDULING_PAUSED, Subject.NONE, Cause.of(now.get().text()))
              : new Event.Body(Kind.RESCHEDULING_RESUMED, Subject.NONE, whyResumed()));
      told = now;
    }
  }

  private Cause whyResumed() {
    return cluster
        .pause()
        .map(ClusterState.StoredPause::record)
        .map(ended -> new Cause(ended.endedBy(), ended.whyEnded()))
        .orElse(Cause.of("the pause is over"));
  }

  // ---- at the end of a turn

  /** Publishes all of it. */
  void publish(long revision, boolean leads) {
    for (UnitName unit : touched) {
      views.refresh(unit).ifPresent(news::add);
    }
    touched.clear();
    if (!loaded) {
      // Entries that existed before are no events.
      loaded = true;
      news.clear();
      news.add(leader(leads));
    }
    log.append(revision, news);
    news.clear();
  }
}

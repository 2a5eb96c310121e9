package fleet.engine;

import fleet.cluster.Absences;
import fleet.cluster.Cause;
import fleet.cluster.DrainProgress;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.MachineView;
import fleet.cluster.Reasons;
import fleet.cluster.RebalanceProgress;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.event.EventLog;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.Touched;
import fleet.engine.picture.Way;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.LeaderRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The picture of the cluster on an event loop of its own: it follows the registry and the machines'
 * reports, tells readers what changes, and has a {@link Mind} make something of it.
 */
final class LivePicture implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LivePicture.class);

  /** Acts on the picture. Everything is called on the picture's loop. */
  interface Mind {

    void scheduled(UnitName unit, String machine);

    void globalChanged(UnitName unit);

    /**
     * A machine is described, be it otherwise than before or not.
     *
     * @param came whether it was not there before
     */
    void machineChanged(Machine machine, boolean came);

    /**
     * A machine went.
     *
     * @param before empty where nothing was known of it but that it is there
     * @param left whether it said that it goes
     */
    void machineWent(String id, Optional<Machine> before, boolean left);

    /**
     * Two machines of one id are there; the one that came later is not taken in.
     *
     * @param there who stays
     */
    default void twin(Machine refused, Machine there) {}

    /** A machine is there no more in the way in which it spoke to the leader itself. */
    default void silent(String id) {}

    /**
     * Machines that are there may be about to go with the one that goes next.
     *
     * @param within when that is known
     */
    default void machinesDoubtful(Set<String> ids, Duration within) {}

    void leaderChanged(Optional<Entry> leader);

    /** Rescheduling pauses, or goes on, as the store has it. */
    void pauseChanged();

    /** A rollout is another than it was, or there no more. */
    default void rolloutChanged(UnitName name) {}

    /** There is another rebalance, or something else to say of it. */
    default void rebalanceChanged() {}

    /** Whether this one decides, be there a leader's key or not. */
    boolean leads();

    /** Something cannot be read. */
    void faulty(String what);

    /** All that came in is in the picture. */
    void think(long revision);

    /** The picture can follow no longer, which is why. */
    void ended(String why);
  }

  private final Registry registry;
  private final EngineSettings settings;
  private final EventLoop loop;
  private final EventLog events;
  private final ClusterPicture picture = new ClusterPicture();
  private final Views views = new Views(picture);
  private final MissingMachines missing = new MissingMachines(picture);
  private final Images images = new Images(picture);
  private final Chronicle chronicle = new Chronicle(picture);
  private final Room room = new Room(picture);
  private final Agenda agenda = new Agenda(picture, room);
  private final Offers offers = new Offers(picture, room, agenda);
  private final Decider decider;
  private final Rollouts rollouts = new Rollouts(picture, views, room);

  private final Set<UnitName> touched = new LinkedHashSet<>();
  private final List<Event.Body> news = new ArrayList<>();

  private final StoresWord storesWord = new StoresWord();
  private final IgnoredReports ignored = new IgnoredReports();
  private final Expectations expectations;
  private Optional<Absences.Pause> told = Optional.empty();
  private @Nullable Mind mind;
  private boolean loaded;

  /** Why nothing more comes into the picture, or what comes is not to be trusted. */
  private Optional<String> over = Optional.empty();

  private Optional<Long> toldLeader = Optional.empty();
  private long revision;
  private volatile @Nullable Watch watch;
  private volatile boolean closed;

  /**
   * @param epoch unlike that of any other, for the positions of events
   */
  LivePicture(
      Registry registry,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
      String epoch) {
    this.registry = registry;
    this.settings = settings;
    this.events = new EventLog(epoch, settings.eventsKept(), clock);
    this.loop = loops.start("picture", this::endTurn);
    this.expectations = new Expectations(loop);
    this.decider = new Decider(picture, missing, views, agenda, room, offers, clock);
  }

  /**
   * Loads the registry and follows it; returns once queries see what was loaded.
   *
   * @throws RegistryException where the registry cannot be read
   */
  void follow(Mind made) {
    Snapshot snapshot = registry.read("");
    onLoop(() -> {
      mind = made;
      snapshot.entries().forEach(entry -> touch(picture.written(entry)));
      // A request for something new does not wait until all that is there has been looked at.
      agenda.leaveForLater();
      revision = snapshot.revision();
      return null;
    });
    watch = registry.watch("", snapshot, new RegistryEvents());
    if (closed) {
      // By somebody who did not find the watch yet.
      endWatch();
    }
    Void _ = Expectations.await(seen(snapshot.revision()), "not loaded");
  }

  /** Has the loop do something, and returns when it is done. */
  void run(Runnable work) {
    onLoop(() -> {
      work.run();
      return null;
    });
  }

  // ---- for the mind, on the loop

  /**
   * From now on another mind makes something of the picture. All that is there comes to it as if it
   * were new; what it has to look at gives way to what happens from now on.
   */
  void turnTo(Mind next) {
    mind = next;
    if (over.isPresent()) {
      // The mind before was told, but nobody may listen to it any more.
      next.ended(over.get());
      return;
    }
    picture.tellFaultsAgain();
    agenda.beginAnew();
    next.leaderChanged(picture.leader());
    picture.machines().forEach(machine -> next.machineChanged(machine, false));
    endTurn();
  }

  EventLoop loop() {
    return loop;
  }

  ClusterPicture picture() {
    return picture;
  }

  MissingMachines missing() {
    return missing;
  }

  Agenda agenda() {
    return agenda;
  }

  Decider decider() {
    return decider;
  }

  Rollouts rollouts() {
    return rollouts;
  }

  Room room() {
    return room;
  }

  Offers offers() {
    return offers;
  }

  /** Up to which the registry is known here; for the loop. */
  long revision() {
    return revision;
  }

  /** The units of which something is different since the last turn. */
  Set<UnitName> touched() {
    return touched;
  }

  Rebalances rebalances() {
    return new Rebalances(picture, views, room);
  }

  /** The view of this unit is to be looked at again. */
  void touched(UnitName unit) {
    touched.add(unit);
  }

  // ---- for readers

  /** The parts that a query may look at. */
  record Reading(
      ClusterPicture picture, Views views, Images images, MissingMachines missing, Room room) {

    Optional<Reasons> why(UnitName unit) {
      return new Reasoning(picture, views, room).about(unit);
    }

    List<MachineView> machines() {
      return images.machines().stream().map(room::view).toList();
    }

    Optional<DrainProgress> drain(String machine) {
      return new Drains(picture, views, room).progress(machine);
    }

    Rollouts rollouts() {
      return new Rollouts(picture, views, room);
    }

    Optional<RebalanceProgress> rebalance() {
      return new Rebalances(picture, views, room).progress();
    }

    RebalancePlanner rebalancePlanner() {
      return RebalancePlanner.of(picture, views, room);
    }

    Absences absences() {
      return missing.absences();
    }
  }

  /** Asks the picture and the views; the answer must not hold on to either. */
  <T> T query(Function<Reading, T> question) {
    return onLoop(() -> question.apply(reading()));
  }

  private Reading reading() {
    return new Reading(picture, views, images, missing, room);
  }

  /** Waits until a question can be answered, or for so long. */
  void awaitAnswer(Function<Reading, ? extends Optional<?>> question, Duration atMost) {
    boolean _ = becomes(() -> question.apply(reading()).isPresent(), atMost);
  }

  private <T> T onLoop(java.util.concurrent.Callable<T> work) {
    try {
      return loop.call(work);
    } catch (IllegalStateException e) {
      throw new PictureClosedException(e);
    }
  }

  EventStream events(EventsFrom from) {
    return events.follow(from);
  }

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long wanted, Duration atMost) {
    await(
        seen(wanted),
        atMost,
        "this fleetd's picture of the cluster is behind what the registry has, and stayed so for "
            + atMost.toSeconds()
            + " s: is the registry reachable?");
  }

  /** Done once queries see everything up to a revision. */
  private CompletableFuture<Void> seen(long wanted) {
    var seen = new CompletableFuture<Void>();
    run(() -> expectations.revision(wanted, seen));
    return seen;
  }

  /**
   * Waits until something is so that nobody tells of, and that is looked at again and again.
   *
   * @return false where it is not within the time
   * @throws PictureClosedException where this is closed before
   */
  boolean becomes(BooleanSupplier so, Duration atMost) {
    var answer = new CompletableFuture<Boolean>();
    run(() -> expectations.hope(so, atMost, answer));
    return Expectations.await(answer, "not known");
  }

  /**
   * Waits for as long as the loop's time says.
   *
   * @param otherwise said where it takes longer
   */
  <T> T await(CompletableFuture<T> coming, Duration atMost, String otherwise) {
    return expectations.await(coming, atMost, otherwise);
  }

  @Override
  public void close() {
    closed = true;
    endWatch();
    loop.close();
    events.close();
    expectations.end();
  }

  private void endWatch() {
    Watch running = watch;
    if (running != null) {
      running.close();
    }
  }

  // ---- what happens

  private void changed(Delta delta) {
    chronicle.before(delta);
    for (Delta.Change change : delta.changes()) {
      switch (change) {
        case Delta.Change.Written written -> touch(picture.written(written.entry()));
        case Delta.Change.Deleted deleted -> touch(picture.deleted(deleted.key()));
      }
    }
    news.addAll(chronicle.after());
    revision = delta.revision();
  }

  private void touch(Touched what) {
    switch (what) {
      case Touched.Nothing _ -> {}
      case Touched.OfUnits of -> of.units().forEach(this::touchUnit);
      case Touched.Mended mended -> mended.units().forEach(this::mended);
      case Touched.PlacedBecause because -> chronicle.placed(because.unit(), because.why());
      case Touched.Commanded commanded -> chronicle.commanded(commanded.command());
      case Touched.Scheduled scheduled -> scheduleChanged(scheduled.unit(), scheduled.machine());
      case Touched.Global global -> globalChanged(global.unit());
      case Touched.Rollout rollout -> mind().rolloutChanged(rollout.name());
      case Touched.OfMachine machine -> describedAnew(machine.machine());
      case Touched.Came came -> present(Way.STORE, came.machine());
      case Touched.Went went -> absent(Way.STORE, went.machine(), went.left(), whyGone(went));
      case Touched.Reported reported -> stored(reported.machine(), reported.report().unit(), what);
      case Touched.Withdrawn withdrawn -> stored(withdrawn.machine(), withdrawn.unit(), what);
      case Touched.Configured configured -> {
        news.add(configured(configured));
        agenda.configured();
      }
      case Touched.Unconfigured _ -> agenda.configured();
      case Touched.Offered offered -> {
        if (offered.withdrawn()) {
          offers.overheardWithdrawal(offered.unit());
        }
      }
      case Touched.Bidden bidden -> {
        if (!picture.isPresent(Way.DIRECT, bidden.machine())) {
          offers.received(bidden.machine(), bidden.bid());
        }
      }
      case Touched.Leader _ -> leaderChanged();
      case Touched.Pause _ -> pauseChanged();
      case Touched.Rebalanced rebalanced -> {
        agenda.rebalanced(rebalanced.units());
        mind().rebalanceChanged();
      }
    }
  }

  private static Event.Body configured(Touched.Configured set) {
    return Event.Body.of(
        Event.Command.CONFIG,
        Subject.NONE,
        new Cause(set.now().by(), set.setting() + "=" + set.now().value()));
  }

  private void leaderChanged() {
    if (!toldLeader.equals(picture.leader().map(Entry::created))) {
      news.add(leader());
    }
    mind().leaderChanged(picture.leader());
  }

  private Event.Body leader() {
    Optional<Entry> leader = picture.leader();
    toldLeader = leader.map(Entry::created);
    Subject subject = leader.flatMap(LivePicture::machineOf).map(Subject::of).orElse(Subject.NONE);
    String none = mind().leads() ? "the only engine leads" : "no engine leads";
    String why = leader.map(known -> "token " + known.created()).orElse(none);
    return new Event.Body(Kind.LEADER, subject, Cause.of(why));
  }

  private static Optional<String> machineOf(Entry leader) {
    try {
      return Optional.of(LeaderRecord.of(leader).machine());
    } catch (RegistryException e) {
      log.debug("who leads cannot be read", e);
      return Optional.empty();
    }
  }

  private Mind mind() {
    if (mind == null) {
      throw new IllegalStateException("nothing is followed yet");
    }
    return mind;
  }

  private void touchUnit(UnitName unit) {
    touched.add(unit);
    agenda.changed(unit);
    agenda.stateChanged(unit);
  }

  private void mended(UnitName unit) {
    touchUnit(unit);
    picture.placed(unit).ifPresent(placed -> scheduleChanged(unit, placed.machine()));
    if (picture.globals().contains(unit)) {
      globalChanged(unit);
    }
  }

  private void scheduleChanged(UnitName unit, String machine) {
    agenda.scheduleChanged(unit, machine);
    mind().scheduled(unit, machine);
    touched.add(unit);
  }

  private void globalChanged(UnitName unit) {
    agenda.globalChanged(unit);
    mind().globalChanged(unit);
    touched.add(unit);
  }

  private void describedAnew(String id) {
    images.machinesChanged();
    agenda.machineChanged(id);
    picture.machine(id).ifPresent(machine -> news.add(Event.Body.of(machine, false)));
    picture.machine(id).ifPresent(machine -> mind().machineChanged(machine, false));
  }

  private static String whyGone(Touched.Went went) {
    return went.left() ? "it has left" : "it is silent";
  }

  private void present(Way way, Machine machine) {
    String id = machine.id();
    Optional<Machine> there = twin(way, machine);
    if (there.isPresent()) {
      if (way == Way.STORE) {
        storesWord.twin(machine);
      }
      mind().twin(machine, there.get());
      return;
    }
    if (way == Way.STORE) {
      var _ = storesWord.takeTwin(id);
    }
    boolean came = !picture.isThere(id);
    if (way == Way.DIRECT && !picture.isPresent(way, id)) {
      withdrawUnheard(id, storesWord.begins(id, picture.reportedBy(id)));
    }
    boolean different = picture.present(way, machine);
    images.machinesChanged();
    if (different || !agenda.judges(id)) {
      if (came) {
        agenda.machineCame(id);
        offers.machineCame(id);
      } else {
        agenda.machineChanged(id);
      }
      touched.addAll(picture.scheduledTo(id));
      picture.machine(id).ifPresent(inForce -> news.add(Event.Body.of(inForce, came)));
    }
    mind().machineChanged(machine, came);
  }

  /** In the store the next one may come before the end of the last is heard of. */
  private Optional<Machine> twin(Way way, Machine machine) {
    Optional<Machine> elsewhere = picture.twin(way.other(), machine);
    return way == Way.STORE ? elsewhere : elsewhere.or(() -> picture.twin(way, machine));
  }

  private void absent(Way way, String id, boolean left, String why) {
    if (way == Way.STORE && storesWord.takeTwin(id).isPresent()) {
      return;
    }
    Optional<Machine> before = picture.machine(id);
    picture.absent(way, id);
    images.machinesChanged();
    if (picture.machine(id).isPresent()) {
      thereInTheOtherWay(id, before);
    } else {
      absent(id, before, left, why);
    }
  }

  private void goneDirectly(String id, boolean left, boolean emptied, String why) {
    if (!picture.isPresent(Way.DIRECT, id)) {
      return;
    }
    if (emptied) {
      // So that nobody waits until it has stopped its units.
      picture
          .machine(id)
          .map(machine -> machine.withIsolation(Isolation.KEEP))
          .ifPresent(machine -> picture.present(Way.DIRECT, machine));
    }
    List<Touched> stored = storesWord.of(id);
    absent(Way.DIRECT, id, left, why);
    mind().silent(id);
    storesWord
        .takeTwin(id)
        .ifPresent(twin -> {
          present(Way.STORE, twin);
          stored.forEach(this::heard);
        });
  }

  private void thereInTheOtherWay(String id, Optional<Machine> before) {
    if (!picture.machine(id).equals(before)) {
      describedAnew(id);
    }
    List<Touched> stored = storesWord.of(id);
    storesWord.forget(id);
    if (picture.isPresent(Way.STORE, id)) {
      Object since = storesWord.ends(id, picture.reportedBy(id));
      stored.forEach(this::heard);
      withdrawUnheard(id, since);
    }
  }

  /** Once it has had the time to say all that there is: what it had told before is over then. */
  private void withdrawUnheard(String machine, Object since) {
    loop.postAfter(
        settings.agentTtl(),
        () -> storesWord.takeUnheard(machine, since).forEach(unit -> withdrawn(machine, unit)));
  }

  private void absent(String id, Optional<Machine> before, boolean left, String why) {
    storesWord.gone(id);
    ignored.gone(id);
    images.statesChanged();
    // One that falls silent may have been gone for a while.
    Duration rest = left ? settings.rest() : settings.rest().plus(settings.agentTtl());
    picture.endings().went(id, rest, loop.nanoTime());
    for (UnitName unit : picture.withdrawAll(id)) {
      news.add(new Event.Body(Kind.STATE_GONE, Subject.of(unit, id), Cause.NONE));
      touchUnit(unit);
    }
    agenda.machineGone(id);
    offers.machineGone(id);
    touched.addAll(picture.scheduledTo(id));
    mind().machineWent(id, before, left);
    if (before.isPresent()) {
      news.add(new Event.Body(Kind.MACHINE_GONE, Subject.of(id), Cause.of(why)));
    }
  }

  private void stored(String machine, UnitName unit, Touched what) {
    if (picture.isPresent(Way.DIRECT, machine) && !storesWord.counts(machine, unit, what)) {
      storesWord.putBy(machine, unit, what);
    } else {
      heard(what);
    }
  }

  private void heard(Touched what) {
    if (what instanceof Touched.Reported(String machine, AgentReport report)) {
      storesWord.heard(machine, report.unit());
      reported(machine, report);
    } else if (what instanceof Touched.Withdrawn(String machine, UnitName unit)) {
      storesWord.heard(machine, unit);
      storesWord.overruled(machine, unit);
      withdrawn(machine, unit);
    }
  }

  private void reported(String machine, AgentReport report) {
    UnitName unit = report.unit();
    switch (report) {
      case AgentReport.Stated stated -> {
        picture.endings().stated(stated.state(), loop.nanoTime());
        Optional<UnitState> changed = picture.stated(stated.state());
        if (changed.isPresent()) {
          images.statesChanged();
          news.add(Event.Body.of(changed.get()));
          touched.add(unit);
          agenda.stateChanged(unit);
          if (picture.placed(unit).isEmpty()) {
            agenda.touch(unit);
          }
        }
      }
      case AgentReport.Gone gone -> {
        picture.endings().withdrawn(machine, unit, loop.nanoTime());
        stateGone(unit, machine, picture.gone(machine, gone));
        touchUnit(unit);
      }
      case AgentReport.Refused refused -> {
        log.warn("machine {} refused {}: {}", machine, unit, refused.why());
        stateGone(unit, machine, picture.refused(refused, machine));
        touchUnit(unit);
      }
      case AgentReport.Freed _ -> withdrawn(machine, unit);
    }
  }

  private void withdrawn(String machine, UnitName unit) {
    picture.endings().withdrawn(machine, unit, loop.nanoTime());
    stateGone(unit, machine, picture.withdrawn(machine, unit));
    touchUnit(unit);
  }

  private void stateGone(UnitName unit, String machine, boolean known) {
    if (known) {
      images.statesChanged();
      news.add(new Event.Body(Kind.STATE_GONE, Subject.of(unit, machine), Cause.NONE));
    }
  }

  private void pauseChanged() {
    Optional<Absences.Pause> now = MissingMachines.inForce(picture.pause());
    if (!now.equals(told)) {
      news.add(
          now.isPresent()
              ? new Event.Body(Kind.RESCHEDULING_PAUSED, Subject.NONE, Cause.of(now.get().text()))
              : new Event.Body(Kind.RESCHEDULING_RESUMED, Subject.NONE, whyResumed()));
      told = now;
    }
    mind().pauseChanged();
  }

  private Cause whyResumed() {
    return picture
        .pause()
        .map(ClusterPicture.StoredPause::record)
        .map(ended -> new Cause(ended.endedBy(), ended.whyEnded()))
        .orElse(Cause.of("the pause is over"));
  }

  private void endTurn() {
    if (mind == null || over.isPresent()) {
      return;
    }
    picture.takeFaults().forEach(mind::faulty);
    mind.think(revision);
    tell();
  }

  private void tell() {
    for (UnitName unit : touched) {
      views.refresh(unit).ifPresent(news::add);
    }
    touched.clear();
    if (!loaded) {
      // Entries that were there before this began to look are no news.
      loaded = true;
      news.clear();
      news.add(leader());
    }
    events.append(revision, news);
    news.clear();
    expectations.met(revision);
  }

  /**
   * Takes in a change. If that throws, the picture is in an unknown state: nothing is made of it
   * any more, and another picture must be made.
   */
  private void takeIn(Runnable happening) {
    loop.post(() -> {
      try {
        if (over.isEmpty()) {
          happening.run();
        }
      } catch (RuntimeException e) {
        log.error("the picture of the cluster is broken: {}", e, e);
        end("what happened cannot be taken into the picture of the cluster: " + e);
      }
    });
  }

  private void end(String why) {
    over = Optional.of(why);
    mind().ended(why);
  }

  private final class RegistryEvents implements Watcher {
    @Override
    public void changed(Delta delta) {
      takeIn(() -> LivePicture.this.changed(delta));
    }

    @Override
    public void failed(RegistryException why) {
      loop.post(() -> end("the watch of the registry ended: " + why.getMessage()));
    }
  }

  /** Hears of machines that do not speak through the registry. */
  EngineCoordination.Listener listener() {
    return new EngineCoordination.Listener() {
      @Override
      public void present(Machine machine) {
        takeIn(() -> LivePicture.this.present(Way.DIRECT, machine));
      }

      @Override
      public void reported(String machine, List<AgentReport> reports) {
        takeIn(() -> {
          if (picture.isPresent(Way.DIRECT, machine)) {
            ignored
                .sift(machine, reports, picture)
                .forEach(report -> {
                  storesWord.heard(machine, report.unit());
                  storesWord.overruled(machine, report.unit());
                  LivePicture.this.reported(machine, report);
                });
          }
        });
      }

      @Override
      public void bid(String machine, Bid bid) {
        takeIn(() -> {
          if (picture.isPresent(Way.DIRECT, machine)) {
            offers.received(machine, bid);
          }
        });
      }

      @Override
      public void doubtful(Set<String> machines, Duration within) {
        Set<String> kept = OrderedCopy.of(machines);
        takeIn(() -> mind().machinesDoubtful(kept, within));
      }

      @Override
      public void absent(String machine, String why) {
        takeIn(() -> goneDirectly(machine, false, false, why));
      }

      @Override
      public void left(String machine, boolean emptied, String why) {
        takeIn(() -> goneDirectly(machine, true, emptied, why));
      }

      @Override
      public void takenOver(String machine, String how) {
        takeIn(() ->
            news.add(Event.Body.of(Event.Command.TAKEN_OVER, Subject.of(machine), Cause.of(how))));
      }

      @Override
      public void takenIn(Runnable then) {
        loop.post(then);
      }
    };
  }
}

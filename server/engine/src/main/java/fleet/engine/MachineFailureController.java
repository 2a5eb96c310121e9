package fleet.engine;

import fleet.cluster.AbsentMachines;
import fleet.coordination.EventLoop;
import fleet.coordination.HeartbeatInterval;
import fleet.coordination.Leadership;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.engine.decide.StormBrake;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ClusterState.StoredPause;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node failure controller: the leader's decisions about machines that vanish, or are absent
 * when it begins. It decides which machines to wait for, when to give them up, and when so many
 * vanish at once that their units stay with them. Owned by the state thread.
 */
final class MachineFailureController {

  private static final Logger log = LoggerFactory.getLogger(MachineFailureController.class);

  private final EngineSettings settings;
  private final Leadership.Term term;
  private final Clock clock;
  private final EventLoop loop;
  private final ClusterState cluster;
  private final WorkQueue queue;
  private final MissingMachines missing;
  private final StormBrake brake;
  private final LeaderWrites.KeptKey key;
  private final DepartedMachines departed;
  private final MaintenanceWindows maintenance;

  /** The wanted value of the key of the pause; empty if the key is to be deleted. */
  private Optional<PauseRecord> wanted = Optional.empty();

  private final Map<String, Object> absences = new HashMap<>();
  private Set<String> doubtful = Set.of();
  private long doubtfulUntil;

  private boolean begun;

  /** The machines whose records have not changed since this engine began. */
  private final Set<String> inherited = new HashSet<>();

  private long inheritedUntil;

  /** The machines that are awaited only until it is known whether this is a storm. */
  private final Set<String> inDoubt = new HashSet<>();

  MachineFailureController(
      StateLoader loader,
      LeaderWrites writes,
      EngineSettings settings,
      Leadership.Term term,
      Clock clock) {
    this.settings = settings;
    this.term = term;
    this.clock = clock;
    this.loop = loader.loop();
    this.cluster = loader.state().cluster();
    this.queue = loader.state().queue();
    this.missing = loader.state().missing();
    this.brake = new StormBrake(settings.storm());
    this.key = writes.key(Keys.PAUSE, "that rescheduling pauses, or continues");
    this.departed = new DepartedMachines(loader, writes, clock);
    this.maintenance = new MaintenanceWindows(cluster, writes, loop, clock);
  }

  // ---- machines that were not there when this engine began to lead

  /** The registry is loaded: absent machines that have units get their time. */
  void begin() {
    wanted = cluster.pause().map(StoredPause::record);
    wanted.filter(PauseRecord::isInForce).ifPresent(record -> pause(record, true));
    begun = true;
    inheritedUntil = loop.nanoTime() + settings.agentTtl().toNanos();
    cluster.machines().all().forEach(machine -> inherited.add(machine.id()));
    Set<String> missed = new TreeSet<>(cluster.missing().keySet());
    missed.removeIf(machine -> missing.isGivenUp(machine) || isInMaintenance(machine));
    if (!missed.isEmpty()) {
      log.info("{} machines that have units are not there yet: {}", missed.size(), some(missed));
      awaitReturn(missed, grace(), true);
    }
    if (departed.begin(absentInMaintenance())) {
      giveUpUnseenAfter(grace());
    }
    maintenance.look();
  }

  private Map<String, Maintenance> absentInMaintenance() {
    Map<String, Maintenance> absent = cluster.machines().inMaintenance();
    absent.keySet().removeIf(cluster::isThere);
    return absent;
  }

  /** No unit misses these machines, so that nobody waits for them otherwise. */
  private void giveUpUnseenAfter(Duration time) {
    loop.postAfter(
        time,
        () -> {
          Duration more = timeToCome();
          if (more.isPositive()) {
            giveUpUnseenAfter(more);
          } else {
            Set<String> open = new HashSet<>(missing.awaited());
            open.addAll(cluster.machines().inMaintenance().keySet());
            departed.giveUpUnseen(open);
          }
        });
  }

  /** An absent machine that has units: it may be about to come back. */
  void missed(String machine) {
    if (!cluster.isThere(machine)
        && !missing.isGivenUp(machine)
        && !isInMaintenance(machine)
        && !absences.containsKey(machine)) {
      awaitReturn(List.of(machine), grace(), true);
    }
  }

  /** How long to wait for machines that were absent when this engine began to lead. */
  Duration grace() {
    Duration margin = settings.isolationMargin();
    boolean hadItsTime = term.continuous() || settings.agentTtl().compareTo(margin) < 0;
    Duration time = hadItsTime ? margin : settings.agentTtl();
    Duration reports = term.direct() ? settings.reportsAwaited() : Duration.ZERO;
    return time.compareTo(reports) < 0 ? reports : time;
  }

  /**
   * Counts those as lost that are not back within the time, all at once.
   *
   * @param unseen whether nobody saw them go
   */
  private void awaitReturn(Collection<String> machines, Duration time, boolean unseen) {
    Object absence = new Object();
    for (String machine : machines) {
      absences.put(machine, absence);
      missing.await(machine, whyAwaited(machine, time));
    }
    List<String> awaited = List.copyOf(machines);
    loop.postAfter(
        time,
        () ->
            giveUp(
                awaited.stream().filter(machine -> absences.remove(machine, absence)).toList(),
                unseen));
  }

  private String whyAwaited(String machine, Duration time) {
    if (settings.reach().opening().isEmpty()) {
      return ("machine %s is not there: none can come to this leader, whose RPC port is not open;"
              + " the leader waits for it")
          .formatted(machine);
    }
    return "machine %s is not there; the leader waits for it until %s"
        .formatted(machine, clock.instant().plus(time).truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * How long machines still have to reach this engine, which they could not do before. They are not
   * lost until then: this engine was away, and they run their units.
   */
  Duration timeToCome() {
    Duration left =
        settings
            .reach()
            .opening()
            .map(opening -> neededAfter(opening).minus(opening.ago()))
            .orElse(settings.reportsAwaited());
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Machines that reached this engine at another address look for it once an answer is missing. */
  private Duration neededAfter(RpcReachability.Opening opening) {
    Duration found = settings.reportsAwaited();
    return opening.moved()
        ? HeartbeatInterval.untilNoticed(settings.agentTtl()).plus(found)
        : found;
  }

  private void giveUp(List<String> machines, boolean unseen) {
    if (machines.isEmpty()) {
      return;
    }
    Duration more = timeToCome();
    if (more.isPositive()) {
      awaitReturn(machines, more, unseen);
      return;
    }
    // A pause that has ended was about these machines: they are to be given up.
    if (unseen && wanted.isEmpty()) {
      machines.forEach(machine -> brake.vanished(machine, loop.nanoTime()));
      brakeInStorm();
    }
    machines.forEach(this::lost);
  }

  // ---- machines that come and go

  /**
   * A machine is there.
   *
   * @param isNew whether it was not there before
   */
  void came(String machine, boolean isNew) {
    absences.remove(machine);
    inherited.remove(machine);
    inDoubt.remove(machine);
    brake.back(machine);
    departed.came(machine, isNew);
    if (begun && isInMaintenance(machine)) {
      maintenance.look();
    }
    if (missing.found(machine)) {
      queue.touchLastUnitsOf(machine);
    }
  }

  /**
   * A machine that stops its units when it is cut off gets time to do so. A machine that left with
   * nothing running said so in its last record.
   *
   * @param before what was known of it
   * @param left whether it said that it goes
   */
  void went(String machine, Optional<Machine> before, boolean left) {
    departed.went(before);
    if (!begun && !left) {
      // It then counts as missing.
      return;
    }
    if (!left && isInMaintenance(machine)) {
      log.info("machine {} is away: {}", machine, missing.whyKept(machine).orElse(""));
      queue.touchUnitsOf(machine);
      return;
    }
    Duration more = left ? Duration.ZERO : timeToCome();
    if (!left && more.isZero()) {
      brake.vanished(machine, loop.nanoTime());
      brakeInStorm();
    }
    boolean stops = before.map(Machine::isolation).equals(Optional.of(Isolation.STOP));
    if (stops || before.isEmpty()) {
      Duration known = isInherited(machine) ? leftToInherited() : Duration.ZERO;
      awaitReturn(List.of(machine), known.plus(settings.isolationMargin()), false);
      queue.touchUnitsOf(machine);
    } else if (more.isPositive()) {
      log.warn("machine {} has gone, and cannot come back before this server is reached", machine);
      awaitReturn(List.of(machine), more, true);
      queue.touchUnitsOf(machine);
    } else if (!left && stormThreatens()) {
      log.warn(
          "machine {} has gone, and machines {} are silent too: its units stay until it is known"
              + " what becomes of those",
          machine,
          some(doubtful));
      awaitReturn(List.of(machine), Duration.ofNanos(doubtfulUntil - loop.nanoTime()), true);
      inDoubt.add(machine);
      queue.touchUnitsOf(machine);
    } else if (!left && isInherited(machine)) {
      log.warn("machine {} has gone, and has not reported since this engine leads", machine);
      awaitReturn(List.of(machine), leftToInherited(), false);
      queue.touchUnitsOf(machine);
    } else {
      absences.remove(machine);
      if (left) {
        log.info("machine {} has left: {}", machine, whereItsUnitsRun());
        departed.gone(machine, true);
        giveAway(machine);
      } else {
        lost(machine);
      }
    }
  }

  /**
   * The cause that kept the engine before this one from leading may keep fleetds elsewhere from
   * renewing their leases, such as a store that was restored from a backup. Others have spoken to
   * that engine itself since they renewed them. All these machines get the time that they would
   * have if they had renewed them when this engine began.
   */
  private boolean isInherited(String machine) {
    return inherited.contains(machine) && inheritedUntil - loop.nanoTime() > 0;
  }

  private Duration leftToInherited() {
    return Duration.ofNanos(inheritedUntil - loop.nanoTime());
  }

  private void lost(String machine) {
    log.warn("machine {} is lost: {}", machine, whereItsUnitsRun());
    departed.gone(machine, false);
    giveAway(machine);
  }

  private String whereItsUnitsRun() {
    return missing.pause().isPresent()
        ? "its units stay with it, as rescheduling pauses"
        : "its units run elsewhere from now on";
  }

  private void giveAway(String machine) {
    missing.lose(machine);
    queue.touchUnitsOf(machine);
  }

  // ---- maintenance

  private boolean isInMaintenance(String machine) {
    return cluster.machines().maintenance(machine).isPresent();
  }

  /**
   * The settings of a machine have changed. One whose maintenance ends while it is away is lost,
   * unless this engine has only just begun to lead: then it may be about to come.
   */
  void maintenanceChanged(String machine) {
    if (!begun) {
      return;
    }
    maintenance.look();
    if (cluster.isThere(machine) || missing.isGivenUp(machine)) {
      return;
    }
    if (isInMaintenance(machine)) {
      inDoubt.remove(machine);
      if (absences.remove(machine) != null) {
        boolean _ = missing.found(machine);
      }
    } else if (!absences.containsKey(machine)
        && (cluster.schedule().hasUnits(machine) || departed.isOpen(machine))) {
      log.info("machine {} is not in maintenance any more, and away", machine);
      Duration left = leftToInherited();
      Duration margin = settings.isolationMargin();
      awaitReturn(List.of(machine), left.compareTo(margin) < 0 ? margin : left, false);
      // The windows of a rack end at the same time, each with a write of its own.
      brake.vanished(machine, loop.nanoTime());
      brakeInStorm();
    }
    queue.touchUnitsOf(machine);
  }

  // ---- storms

  /** The fate of the next machine that goes without a word depends on these. */
  void doubtful(Set<String> machines, Duration within) {
    doubtful = machines;
    doubtfulUntil = loop.nanoTime() + within.toNanos();
  }

  /** Machines that vanish together are found missing one after the other. */
  private boolean stormThreatens() {
    Set<String> there = new HashSet<>(doubtful);
    there.removeIf(machine -> !cluster.isThere(machine));
    return missing.pause().isEmpty()
        && !there.isEmpty()
        && doubtfulUntil - loop.nanoTime() > 0
        && brake.threatens(there, cluster.machines().count(), missing.awaited(), loop.nanoTime());
  }

  private void brakeInStorm() {
    if (missing.pause().isEmpty()) {
      brake
          .storm(cluster.machines().count(), missing.awaited(), loop.nanoTime())
          .ifPresent(this::pause);
    }
  }

  private void pause(StormBrake.Storm storm) {
    Instant now = clock.instant();
    Instant until = now.plus(settings.storm().pause());
    pause(new PauseRecord(now, until, storm.vanished(), storm.of()), false);
  }

  private void pause(PauseRecord record, boolean goesOn) {
    AbsentMachines.Pause pause = MissingMachines.pause(record);
    log.error(
        "STORM{}: {}. `fleetctl list-machines` names the lost ones",
        goesOn ? ", as an engine before this one found" : "",
        pause.text());
    wanted = Optional.of(record);
    missing.pause(Optional.of(pause));
    inDoubt.forEach(machine -> {
      if (absences.remove(machine) != null) {
        lost(machine);
      }
    });
    inDoubt.clear();
    touchUnitsOfMissing();
    Duration left = Duration.between(clock.instant(), record.until());
    loop.postAfter(
        left.isNegative() ? Duration.ZERO : left,
        () -> {
          if (wanted.equals(Optional.of(record))) {
            resume(record.ended());
          }
        });
  }

  /** The store's value has changed: somebody may have ended the pause. */
  void pauseChanged() {
    Optional<PauseRecord> stored = cluster.pause().map(StoredPause::record);
    Optional<PauseRecord> ours = wanted.filter(PauseRecord::isInForce);
    if (ours.isPresent() && stored.filter(record -> isEnd(record, ours.get())).isPresent()) {
      resume(stored.get());
    }
  }

  private static boolean isEnd(PauseRecord record, PauseRecord of) {
    return !record.isInForce() && record.since().equals(of.since());
  }

  private void resume(PauseRecord ended) {
    log.warn(
        "rescheduling is resumed ({}): units of lost machines run elsewhere from now on: {}",
        ended.whyEnded(),
        some(cluster.missing().keySet()));
    wanted = Optional.of(ended);
    missing.pause(Optional.empty());
    brake.reset();
    touchUnitsOfMissing();
  }

  private void touchUnitsOfMissing() {
    cluster.missing().keySet().forEach(queue::touchUnitsOf);
  }

  /** Ends a pause at the end of a turn, once no machine with units is missing. */
  void settle() {
    if (wanted.isPresent() && !missing.needPause()) {
      if (missing.pause().isPresent()) {
        log.warn("rescheduling is no longer paused: all machines that have units are back");
      }
      wanted = Optional.empty();
      missing.pause(Optional.empty());
      brake.reset();
    }
    Optional<StoredPause> stored = cluster.pause();
    if (!stored.map(StoredPause::record).equals(wanted)) {
      key.write(stored.map(StoredPause::entry), wanted.map(PauseRecord::json));
    }
  }

  /**
   * Writes which machines are gone, at the end of a turn in which nothing else is to be written.
   */
  void recordDepartures() {
    departed.settle();
  }

  /** Whether the next leader knows that a machine has left. */
  boolean isDepartureRecorded(String machine) {
    return departed.isRecorded(machine);
  }

  private static String some(Collection<String> machines) {
    String first = String.join(", ", machines.stream().limit(10).toList());
    return machines.size() > 10 ? first + " and " + (machines.size() - 10) + " more" : first;
  }
}

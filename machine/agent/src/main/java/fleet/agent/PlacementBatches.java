package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.place.Placer;
import fleet.core.collection.OrderedCopy;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs units on the machine and removes stopped ones, one batch at a time: requests during a
 * batch go into the next one. Owned by the agent's event thread.
 */
final class PlacementBatches {

  /** How often refused names are checked, since no event tells when they are free. */
  static final Duration REFUSED_NAMES = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(PlacementBatches.class);

  private final LocalUnits units;
  private final Systemd systemd;
  private final Placer placer;
  private final BackgroundWork work;
  private final Consumer<AgentReport> report;
  private final Consumer<Set<UnitName>> arrived;
  private final List<ScheduleEntry> toPlace = new ArrayList<>();
  private final Set<UnitName> toRemove = new LinkedHashSet<>();
  private final Map<UnitName, ScheduleEntry> refused = new HashMap<>();
  private boolean underWay;

  /**
   * @param arrived told which units have come, by all of their names
   */
  PlacementBatches(
      LocalUnits units,
      Systemd systemd,
      Placer placer,
      BackgroundWork work,
      Consumer<AgentReport> report,
      Consumer<Set<UnitName>> arrived) {
    this.units = units;
    this.systemd = systemd;
    this.placer = placer;
    this.work = work;
    this.report = report;
    this.arrived = arrived;
  }

  /** Places a unit with the next batch; a refused entry is not tried again. */
  void place(ScheduleEntry entry) {
    if (!hasRefused(entry)) {
      units.occupy(entry.unit());
      toPlace.add(entry);
    }
  }

  /** Whether this entry of a unit has been refused. */
  boolean hasRefused(ScheduleEntry entry) {
    return entry.equals(refused.get(entry.unit()));
  }

  /** Removes a unit that has stopped, with the next batch. */
  void remove(UnitName stopped) {
    toRemove.add(stopped);
  }

  /** Begins the next batch, if there is something to do and nothing under way. */
  void beginBatch() {
    if (!underWay && !toRemove.isEmpty()) {
      removeBatch(takeAll(toRemove));
    }
    if (!underWay && !toPlace.isEmpty()) {
      placeBatch(takeAll(toPlace));
    }
  }

  private static <T> List<T> takeAll(Collection<T> waiting) {
    List<T> batch = List.copyOf(waiting);
    waiting.clear();
    return batch;
  }

  // ---- placing

  private void placeBatch(List<ScheduleEntry> batch) {
    underWay = true;
    Map<UnitName, Mark> own =
        units.all().stream()
            .filter(LocalUnit::isMarked)
            .collect(Collectors.toMap(LocalUnit::name, LocalUnit::mark));
    work.begin(
        () -> {
          var outcomes = placer.place(batch, own);
          systemd.follow(placed(batch, outcomes).map(ScheduleEntry::unit).toList());
          return outcomes;
        },
        outcomes -> {
          batch.forEach(entry -> take(entry, outcomes.get(entry.unit())));
          arrived.accept(
              OrderedCopy.of(
                  placed(batch, outcomes).flatMap(entry -> placer.names(entry).stream()).toList()));
        },
        fault -> {
          batch.forEach(entry -> failed(entry, BackgroundWork.reason(fault)));
          arrived.accept(Set.of());
        },
        () -> end(batch.stream().map(ScheduleEntry::unit).toList()));
  }

  private static Stream<ScheduleEntry> placed(
      List<ScheduleEntry> batch, Map<UnitName, Placer.Outcome> outcomes) {
    return batch.stream()
        .filter(entry -> outcomes.get(entry.unit()) instanceof Placer.Outcome.Placed);
  }

  private void take(ScheduleEntry entry, Placer.@Nullable Outcome outcome) {
    switch (outcome) {
      case Placer.Outcome.Placed placed -> placed(entry.unit(), placed.mark());
      case Placer.Outcome.Refused refusal -> refused(entry, refusal.where());
      case Placer.Outcome.Failed failure -> failed(entry, failure.why());
      case null -> failed(entry, "it was passed over");
    }
  }

  private void placed(UnitName name, Mark mark) {
    log.debug("placed {} ({})", name, mark.hash().substring(0, 7));
    refused.remove(name);
    Optional<LocalUnit> before = units.find(name);
    if (before.isEmpty()) {
      LocalUnit _ = units.getOrAdd(name, _ -> mark);
    } else {
      before.get().mark(mark);
      before.get().marked(true);
      before.get().incomplete(false);
      before.get().problem("");
    }
  }

  /** Gives up a unit of which nothing is on the machine. */
  void forget(UnitName name) {
    units
        .find(name)
        .ifPresent(unit -> {
          units.remove(name);
          report.accept(new AgentReport.Gone(name, unit.mark().incarnation(), 0));
        });
  }

  private void refused(ScheduleEntry entry, String where) {
    String why = "systemd knows " + entry.unit() + " from " + where;
    log.warn("refused {}: {}", entry.unit(), why);
    refused.put(entry.unit(), entry);
    forget(entry.unit());
    report.accept(
        new AgentReport.Refused(entry.unit(), entry.incarnation(), entry.revision(), why));
  }

  private void failed(ScheduleEntry entry, String why) {
    LocalUnit unit = units.getOrAdd(entry.unit(), _ -> Mark.placing(entry));
    if (!why.equals(unit.problem())) {
      log.error("cannot place {}: {}; trying again every few seconds", entry.unit(), why);
    }
    unit.marked(placer.isMarked(entry.unit()));
    unit.incomplete(true);
    unit.problem(why);
    units.rest(entry.unit());
  }

  // ---- removing

  private void removeBatch(List<UnitName> batch) {
    underWay = true;
    work.begin(
        () -> {
          Map<UnitName, String> remaining = placer.remove(batch);
          systemd.unfollow(batch.stream().filter(unit -> !remaining.containsKey(unit)).toList());
          return remaining;
        },
        remaining -> batch.forEach(unit -> removed(unit, remaining.get(unit))),
        fault -> batch.forEach(unit -> removed(unit, BackgroundWork.reason(fault))),
        () -> end(batch));
  }

  private void removed(UnitName name, @Nullable String problem) {
    LocalUnit unit = units.get(name);
    if (problem == null) {
      log.info("removed {}", name);
      units.remove(name);
      report.accept(new AgentReport.Gone(name, unit.mark().incarnation(), 0));
    } else {
      log.warn("cannot remove {}: {}; trying again", name, problem);
      unit.problem("cannot remove it: " + problem);
      // A failed removal may be partial, should the unit be wanted here after all.
      unit.incomplete(true);
      units.rest(name);
    }
  }

  private void end(List<UnitName> batch) {
    underWay = false;
    batch.forEach(units::release);
  }

  // ---- names that somebody else has

  /**
   * Finds refused names that have become free. The refusal of an entry that still stands is not
   * taken back: the leader has it, and may be giving the unit to another machine. Global units go
   * to no other machine.
   *
   * @param stands whether the schedule still has this very entry
   */
  void lookAtRefused(Predicate<ScheduleEntry> stands) {
    Map<UnitName, ScheduleEntry> asked = new HashMap<>(refused);
    asked.values().removeIf(entry -> !entry.global() && stands.test(entry));
    if (asked.isEmpty()) {
      return;
    }
    work.begin(
        () -> placer.freed(asked.values()),
        freed -> freed.forEach(this::freed),
        fault -> log.debug("refused names: {}", BackgroundWork.reason(fault)),
        () -> {});
  }

  private void freed(UnitName name) {
    if (refused.remove(name) != null) {
      log.info("the name {} is free again", name);
      report.accept(new AgentReport.Freed(name));
      units.touch(name);
    }
  }
}

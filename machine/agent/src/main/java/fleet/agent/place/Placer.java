package fleet.agent.place;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.mark.Refusals;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.Dependencies;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places and removes units in batches: all files of a batch are in place before systemd finds one,
 * so that units may name each other, and systemd is asked to reload at most once, and only if it
 * would not notice the change by itself, or has carried out an {@code [Install]} section.
 *
 * <p>A mark stays incomplete until that reload has been made. A fleetd killed in between places the
 * unit again, or removes it, with a reload.
 */
public final class Placer {

  private static final Set<String> PLAIN_TYPES = Set.of("", "simple", "exec", "idle");

  private final Systemd systemd;
  private final UnitDirectory directory;
  private final Marks marks;
  private final Refusals refusals;
  private final ForeignUnits foreign;
  private final UnitLinks links;
  private final InstallLinks install;

  public Placer(Systemd systemd, UnitDirectory directory, Marks marks) {
    this.systemd = systemd;
    this.directory = directory;
    this.marks = marks;
    this.refusals = marks.refusals();
    this.foreign = new ForeignUnits(systemd, directory);
    this.links = new UnitLinks(systemd, directory);
    this.install = new InstallLinks(systemd, directory);
  }

  /** How the placing of one unit ended. */
  public sealed interface Outcome {

    record Placed(Mark mark) implements Outcome {}

    /** The name is somebody else's, or was when just this entry came; nothing was touched. */
    record Refused(String where) implements Outcome {}

    /** It failed; partial work is {@linkplain #isMarked marked} as fleet's own. */
    record Failed(String why) implements Outcome {}
  }

  /**
   * Places units that are new to this machine, or incomplete on it. Their marks say so until
   * systemd has been told everything: a fleetd killed in between places them again.
   *
   * @param own the marks of the units that are on this machine already
   * @throws SystemdException if systemd is out of reach
   */
  public Map<UnitName, Outcome> place(Collection<ScheduleEntry> entries, Map<UnitName, Mark> own) {
    Map<UnitName, Outcome> outcomes = new HashMap<>();
    Map<UnitName, String> taken = taken(entries, own.keySet());
    List<ScheduleEntry> written = new ArrayList<>();
    for (ScheduleEntry entry : entries) {
      Optional<Outcome> refused = refused(entry, Optional.ofNullable(taken.get(entry.unit())));
      if (refused.isPresent()) {
        outcomes.put(entry.unit(), refused.get());
      } else if (write(entry, markOf(entry, own.get(entry.unit())), outcomes)) {
        written.add(entry);
      }
    }
    if (!written.isEmpty()) {
      makeKnown(written, outcomes);
    }
    outcomes.replaceAll((unit, outcome) -> completed(outcome));
    return outcomes;
  }

  /**
   * Refuses taken names, and entries that were refused before: the leader may have that answer, and
   * be giving the unit to another machine. Global units go to no other machine.
   */
  private Optional<Outcome> refused(ScheduleEntry entry, Optional<String> taken) {
    try {
      if (taken.isPresent()) {
        refusals.note(entry, taken.get());
        return taken.map(Outcome.Refused::new);
      }
      return entry.global() ? Optional.empty() : refusals.where(entry).map(Outcome.Refused::new);
    } catch (IOException e) {
      return Optional.of(
          new Outcome.Failed("cannot note, or see, that it was refused: " + reason(e)));
    }
  }

  /** An alias must not hide a foreign unit either. */
  private Map<UnitName, String> taken(Collection<ScheduleEntry> entries, Set<UnitName> own) {
    Map<UnitName, Set<UnitName>> names = new HashMap<>();
    for (ScheduleEntry entry : entries) {
      Set<UnitName> all = Aliases.of(entry.unit(), entry.file());
      if (!own.contains(entry.unit())) {
        all.add(entry.unit());
      }
      names.put(entry.unit(), all);
    }
    Map<UnitName, String> foreigners =
        foreign.among(names.values().stream().flatMap(Set::stream).distinct().toList());
    Map<UnitName, String> taken = new HashMap<>();
    names.forEach((unit, all) -> {
      for (UnitName name : all) {
        String where = foreigners.get(name);
        if (where != null) {
          taken.put(unit, name.equals(unit) ? where : where + ", which its Alias= names");
        }
      }
    });
    return taken;
  }

  /** The mark of a unit that is placed again keeps its last start. */
  private static Mark markOf(ScheduleEntry entry, @Nullable Mark before) {
    Mark placing = Mark.placing(entry);
    return before != null
            && before.incarnation().equals(placing.incarnation())
            && before.hash().equals(placing.hash())
        ? placing.startedAs(before)
        : placing;
  }

  private Outcome completed(Outcome outcome) {
    if (!(outcome instanceof Outcome.Placed placed)) {
      return outcome;
    }
    try {
      Mark mark = placed.mark().placed();
      marks.update(mark);
      refusals.forget(mark.unit());
      return new Outcome.Placed(mark);
    } catch (IOException e) {
      return new Outcome.Failed("cannot note that it is placed: " + reason(e));
    }
  }

  private boolean write(ScheduleEntry entry, Mark mark, Map<UnitName, Outcome> outcomes) {
    UnitName unit = entry.unit();
    try {
      marks.write(mark);
      directory.write(unit, entry.file());
      outcomes.put(unit, new Outcome.Placed(mark));
      return true;
    } catch (IOException e) {
      outcomes.put(
          unit, new Outcome.Failed("cannot write " + directory.file(unit) + ": " + reason(e)));
      return false;
    }
  }

  private void makeKnown(List<ScheduleEntry> written, Map<UnitName, Outcome> outcomes) {
    boolean stale = isInMemory(written.stream().map(ScheduleEntry::unit).toList());
    written.forEach(entry -> link(entry, outcomes));
    if (stale || written.stream().anyMatch(entry -> entry.file().hasSection("Install"))) {
      systemd.reload();
    }
  }

  private void link(ScheduleEntry entry, Map<UnitName, Outcome> outcomes) {
    try {
      links.make(entry.unit());
    } catch (IOException e) {
      outcomes.put(
          entry.unit(), new Outcome.Failed("cannot make its file known to systemd: " + reason(e)));
      return;
    }
    try {
      install.make(entry.unit(), entry.file());
    } catch (IOException e) {
      outcomes.put(
          entry.unit(), new Outcome.Failed("cannot carry out its [Install]: " + reason(e)));
    }
  }

  /**
   * Removes units that have been stopped. Failures are reported and can be retried.
   *
   * @return the units that are not gone, with why
   */
  public Map<UnitName, String> remove(Collection<UnitName> units) {
    Map<UnitName, String> remaining = runningAgain(units);
    List<UnitName> stopped = units.stream().filter(unit -> !remaining.containsKey(unit)).toList();
    if (!stopped.isEmpty()) {
      removeStopped(stopped, remaining);
    }
    return remaining;
  }

  /**
   * A socket or a timer can restart a stopped unit, and its process would have no owner. A slice
   * stays for the units in it.
   */
  private Map<UnitName, String> runningAgain(Collection<UnitName> units) {
    Map<UnitName, String> running = new HashMap<>();
    systemd
        .states(units)
        .forEach((unit, state) -> {
          if (unit.type() != UnitType.SLICE && (state.isActive() || state.isChanging())) {
            running.put(unit, "something started it again, such as a socket of its own");
          }
        });
    return running;
  }

  /** The files go last: after a crash they still say whether there are links to remove. */
  private void removeStopped(List<UnitName> units, Map<UnitName, String> remaining) {
    boolean installed = units.stream().anyMatch(this::isInstalled);
    if (installed) {
      try {
        install.remove(units);
      } catch (IOException e) {
        units.forEach(unit -> remaining.put(unit, "cannot take back its [Install]: " + reason(e)));
        return;
      }
    }
    List<UnitName> unlinked = units.stream().filter(unit -> unlink(unit, remaining)).toList();
    if (installed || isInMemory(unlinked)) {
      systemd.reload();
    }
    for (UnitName unit : unlinked) {
      try {
        directory.delete(unit);
        marks.delete(unit);
      } catch (IOException e) {
        remaining.put(unit, "cannot remove its file: " + reason(e));
      }
    }
  }

  private boolean unlink(UnitName unit, Map<UnitName, String> remaining) {
    try {
      links.remove(unit);
      systemd.resetFailed(unit);
      return true;
    } catch (IOException e) {
      remaining.put(unit, "cannot remove the link to its file: " + reason(e));
      return false;
    }
  }

  /**
   * Whether systemd keeps what it has read of one of these units. It does while another unit, such
   * as a socket, names it. A name whose file it has not found is no such unit: it looks again.
   */
  private boolean isInMemory(List<UnitName> units) {
    return systemd.known(units).stream().anyMatch(known -> !known.load().equals("not-found"));
  }

  /** Whether it may have links of an {@code [Install]} section; one whose file is broken may. */
  private boolean isInstalled(UnitName unit) {
    return fileOf(unit).map(file -> file.hasSection("Install")).orElse(true);
  }

  private Optional<UnitFile> fileOf(UnitName unit) {
    try {
      return directory.read(unit);
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Finds units that fleet placed and whose marks somebody removed: by a file in its directory, or
   * the link to one.
   *
   * @param marked those that have a mark
   * @throws SystemdException if systemd is out of reach
   */
  public List<Mark> unmarked(Collection<UnitName> marked) throws IOException {
    Set<UnitName> unmarked = directory.units();
    unmarked.addAll(links.units());
    unmarked.removeAll(new HashSet<>(marked));
    return unmarked.stream()
        .map(unit -> Mark.lost(unit, fileOf(unit).map(UnitFile::hash).orElse("")))
        .toList();
  }

  /** A unit's name, and its aliases: others may name it by any of them. */
  public Set<UnitName> names(ScheduleEntry entry) {
    Set<UnitName> names = Aliases.of(entry.unit(), entry.file());
    names.add(entry.unit());
    return names;
  }

  /** Whether a name has fleet's mark: other units must not be touched. */
  public boolean isMarked(UnitName unit) {
    return marks.exists(unit);
  }

  /**
   * The units among these whose name and aliases nobody else has. Their refusals are forgotten.
   *
   * @throws IOException if that does not succeed
   */
  public Set<UnitName> freed(Collection<ScheduleEntry> entries) throws IOException {
    Map<UnitName, String> taken = taken(entries, Set.of());
    Set<UnitName> freed = new HashSet<>();
    for (ScheduleEntry entry : entries) {
      if (!taken.containsKey(entry.unit())) {
        refusals.forget(entry.unit());
        freed.add(entry.unit());
      }
    }
    return freed;
  }

  /** Whether a unit that was placed runs once to its end and must not be run twice by accident. */
  public boolean isOneshot(UnitName unit) {
    return serviceType(unit).equals("oneshot");
  }

  /** Whether systemd's word that a unit is active means that it is ready. */
  public boolean tellsWhenItIsReady(UnitName unit) {
    return unit.type() != UnitType.SERVICE || !PLAIN_TYPES.contains(serviceType(unit));
  }

  /** Empty if the file does not say; systemd passes over an empty assignment. */
  private String serviceType(UnitName unit) {
    List<String> types = fileOf(unit).map(file -> file.values("Service", "Type")).orElse(List.of());
    return types.stream().filter(type -> !type.isEmpty()).reduce("", (_, last) -> last);
  }

  /**
   * The units that a unit names in its file, and those that these name if they are fleet's as well.
   */
  public Set<UnitName> namedBy(UnitName unit) {
    Set<UnitName> named = new LinkedHashSet<>();
    Queue<UnitName> next = new ArrayDeque<>(List.of(unit));
    while (!next.isEmpty()) {
      UnitName naming = next.remove();
      for (UnitName name : dependencies(naming)) {
        if (!name.equals(unit) && named.add(name)) {
          next.add(name);
        }
      }
    }
    return named;
  }

  private Set<UnitName> dependencies(UnitName unit) {
    return fileOf(unit).map(file -> Dependencies.of(unit, file)).orElse(Set.of());
  }

  /** Those of some units that systemd does not find. */
  public Set<UnitName> notFound(Collection<UnitName> units) {
    Set<UnitName> missing = new HashSet<>();
    systemd
        .states(units)
        .forEach((name, state) -> {
          if (state.load().equals("not-found")) {
            missing.add(name);
          }
        });
    return missing;
  }

  /** Whether the file that was placed is there, and systemd finds it. */
  public boolean isInPlace(Mark mark) throws IOException {
    return isIntact(mark) && links.isMade(mark.unit());
  }

  /** Whether the file on disk is the one that was placed. */
  public boolean isIntact(Mark mark) {
    return fileOf(mark.unit())
        .map(UnitFile::hash)
        .filter(hash -> hash.equals(mark.hash()))
        .isPresent();
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}

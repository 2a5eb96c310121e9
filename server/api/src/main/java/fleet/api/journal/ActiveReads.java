package fleet.api.journal;

import fleet.cluster.Cluster;
import fleet.core.unit.UnitName;
import fleet.entities.JournalPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The units that are being read on each machine, so that each of their entries is read once,
 * however they come and go. Guarded by the lock of the merge.
 *
 * <p>A machine is followed for all its units at once, and is read to its end when it has none of
 * them any more: their last entries may not have arrived yet. If a unit comes to it, all are
 * followed again after the last entry, and earlier entries of the new one are fetched separately.
 */
final class ActiveReads {

  private final Cluster cluster;
  private final JournalQuestion question;
  private final Instant asked;
  private final Object lock;
  private final Deque<byte[]> notices;

  private final Map<String, Reading> followed = new HashMap<>();

  /** The readings that end by themselves. */
  private final List<Reading> ending = new ArrayList<>();

  /** Machines whose new units wait for the end of what is read there. */
  private final Set<String> heldUp = new HashSet<>();

  private final Cursors bookmarks = new Cursors();
  private final List<MachineBuffer> lanes = new ArrayList<>();
  private boolean complete = true;

  private record Reading(JournalSlice part, MachineJournal journal, MachineBuffer lane) {

    Optional<JournalPosition> position() {
      return Optional.of(lane.cursor()).filter(c -> !c.isEmpty()).map(JournalPosition::new);
    }

    boolean hasEnded() {
      return lane.phase() == MachineBuffer.Phase.ENDED;
    }
  }

  /**
   * Reads nothing yet.
   *
   * @param asked when the whole question was asked
   * @param lock guards this, its lanes and {@code notices}; notified of each change
   */
  ActiveReads(
      Cluster cluster,
      JournalQuestion question,
      Instant asked,
      Object lock,
      Deque<byte[]> notices) {
    this.cluster = cluster;
    this.question = question;
    this.asked = asked;
    this.lock = lock;
    this.notices = notices;
  }

  /** Lanes of entries that are read and not merged yet, or still to come. */
  List<MachineBuffer> lanes() {
    return lanes;
  }

  /** Whether the answer is complete so far. */
  boolean isComplete() {
    return complete && lanes.stream().allMatch(MachineBuffer::isComplete);
  }

  /** Whether a unit that comes to a machine was expected. */
  boolean follows(String machine, UnitName unit) {
    Reading reading = followed.get(machine);
    return reading != null && reading.part.units().contains(unit);
  }

  /** The units that are followed, by machine. */
  Map<String, Set<UnitName>> followed() {
    Map<String, Set<UnitName>> units = new HashMap<>();
    followed.forEach((machine, reading) -> units.put(machine, reading.part.units()));
    return units;
  }

  /** Reads a machine from where the question says. */
  void begin(String machine, Set<UnitName> units) {
    JournalSlice part =
        new JournalSlice(machine, units, Optional.empty(), Optional.empty(), question.follow());
    followed.put(machine, open(part, question.after().getOrDefault(machine, "")));
  }

  private Reading open(JournalSlice part, String cursor) {
    MachineBuffer lane = new MachineBuffer(part, cursor, asked, lock, notices);
    lanes.add(lane);
    return new Reading(part, new MachineJournal(cluster, question, part, lane), lane);
  }

  /** Continues with the machines that have units now. */
  void follow(Map<String, Set<UnitName>> machines) {
    for (String machine : Set.copyOf(followed.keySet())) {
      if (!machines.containsKey(machine)) {
        leave(machine);
      }
    }
    heldUp.retainAll(machines.keySet());
    machines.forEach(this::follow);
  }

  private void follow(String machine, Set<UnitName> units) {
    Reading now = followed.get(machine);
    if (now != null && now.part.units().containsAll(units)) {
      return;
    }
    if (!isFree(machine)) {
      heldUp.add(machine);
    } else if (now == null) {
      String has = units.isEmpty() ? "is there now" : "has " + listed(units) + " now";
      notices.add(MergedLine.notice(machine, has));
      follow(machine, units, units, Optional.of(asked), bookmarks.newest(machine));
    } else {
      Set<UnitName> added = without(units, now.part.units());
      now.lane.close();
      // It may wait for the machine.
      Thread.startVirtualThread(now.journal::close);
      follow(machine, units, added, now.part.since().or(() -> Optional.of(asked)), now.position());
      readToEnd(now, without(now.part.units(), units));
    }
  }

  private static Set<UnitName> without(Set<UnitName> units, Set<UnitName> others) {
    Set<UnitName> rest = new TreeSet<>(units);
    rest.removeAll(others);
    return rest;
  }

  private static String listed(Set<UnitName> units) {
    String first = units.iterator().next().value();
    return units.size() == 1 ? first : first + " and " + (units.size() - 1) + " more";
  }

  /** Whether it is known to where the units of a machine have been read. */
  private boolean isFree(String machine) {
    Reading now = followed.get(machine);
    return ending.stream().noneMatch(reading -> reading.part.machine().equals(machine))
        && (now == null || now.lane.isPastRead() || now.position().isPresent());
  }

  /** Follows after a position; earlier entries of new units are fetched separately. */
  private void follow(
      String machine,
      Set<UnitName> units,
      Set<UnitName> added,
      Optional<Instant> since,
      Optional<JournalPosition> behind) {
    String cursor = behind.map(JournalPosition::cursor).orElse("");
    followed.put(
        machine, open(new JournalSlice(machine, units, since, Optional.empty(), true), cursor));
    if (behind.isPresent()) {
      Map<String, Set<UnitName>> places = new HashMap<>();
      for (UnitName unit : added) {
        String place = bookmarks.of(machine, unit).map(JournalPosition::cursor).orElse("");
        places.computeIfAbsent(place, _ -> new TreeSet<>()).add(unit);
      }
      places.remove(cursor);
      places.forEach((place, some) ->
          ending.add(
              open(new JournalSlice(machine, some, Optional.of(asked), behind, false), place)));
    }
  }

  private void readToEnd(Reading left, Set<UnitName> units) {
    if (!units.isEmpty()) {
      Optional<Instant> since = left.part.since().or(() -> Optional.of(asked));
      JournalSlice rest =
          new JournalSlice(left.part.machine(), units, since, Optional.empty(), false);
      ending.add(open(rest, left.lane.cursor()));
    }
  }

  private void leave(String machine) {
    Reading reading = followed.remove(machine);
    if (reading != null) {
      reading.lane.finish();
      // It may wait for the machine that is left.
      Thread.startVirtualThread(reading.journal::finish);
      ending.add(reading);
    }
  }

  /**
   * Forgets readings that have ended and are merged.
   *
   * @return whether a machine that was held up is free
   */
  boolean sweep() {
    Iterator<Reading> each = ending.iterator();
    while (each.hasNext()) {
      Reading reading = each.next();
      if (reading.hasEnded()) {
        each.remove();
        note(reading);
      }
    }
    lanes.removeIf(this::isDone);
    return heldUp.removeIf(this::isFree);
  }

  private void note(Reading ended) {
    JournalSlice part = ended.part;
    if (part.before().isEmpty()) {
      ended
          .position()
          .ifPresent(position ->
              part.units().forEach(unit -> bookmarks.put(part.machine(), unit, position)));
    }
  }

  private boolean isDone(MachineBuffer lane) {
    boolean done = lane.phase() == MachineBuffer.Phase.ENDED && lane.isEmpty();
    complete &= !done || lane.isComplete();
    return done;
  }

  /** Ends all; may wait for machines, so call it without the lock. */
  void close() {
    List<MachineJournal> reading = new ArrayList<>();
    synchronized (lock) {
      lanes.forEach(MachineBuffer::close);
      followed.values().forEach(one -> reading.add(one.journal));
      ending.forEach(one -> reading.add(one.journal));
      lock.notifyAll();
    }
    reading.forEach(MachineJournal::close);
  }
}

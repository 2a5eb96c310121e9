package fleet.api.journal;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.UnitView;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The merged journals of machines, in order of time. Entries that the reader does not take stay on
 * the machines, except for some of each. With follow, units are followed to other machines, and
 * machines that do not answer are asked again.
 *
 * <p>Clocks and delays of machines differ: a new entry is held back for a moment, in which earlier
 * ones may arrive. For one reader.
 */
public final class MergedJournal implements AutoCloseable {

  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** After this a followed journal begins without the past of a machine that does not answer. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Duration EVENTS = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 500;

  private final Cluster cluster;
  private final JournalQuestion question;
  private final UnitLocations holders;
  private final long heartbeatNanos;
  private final Object lock = new Object();
  private final Deque<byte[]> notices = new ArrayDeque<>();
  private final ActiveReads readings;
  private final boolean isMissing;
  private final Thread watcher;

  /**
   * Since when the places of units may have changed, by {@link System#nanoTime}; 0 for unchanged.
   */
  private long movedSince;

  private long quietSince = System.nanoTime();
  private boolean leadLost;
  private boolean closed;

  /**
   * Begins to ask.
   *
   * @param machines which has which units
   * @param missing says what is missing here, such as units that are on no machine
   * @param heartbeat how long an answer may be silent
   */
  public MergedJournal(
      Cluster cluster,
      JournalQuestion question,
      Map<String, Set<UnitName>> machines,
      List<String> missing,
      Duration heartbeat) {
    this.cluster = cluster;
    this.question = question;
    this.holders = new UnitLocations(cluster, question);
    this.heartbeatNanos = heartbeat.toNanos();
    this.readings = new ActiveReads(cluster, question, Instant.now(), lock, notices);
    machines.forEach(readings::begin);
    missing.forEach(what -> notices.add(MergedLine.notice(what)));
    this.isMissing = !missing.isEmpty();
    if (machines.isEmpty() && missing.isEmpty()) {
      notices.add(MergedLine.notice("none of the units is on a machine yet"));
    }
    this.watcher = Thread.ofVirtual().name("journal-units").unstarted(this::watch);
    if (question.follow()) {
      watcher.start();
    }
  }

  /** Reports that a unit has no machine, and why. */
  public static String onNoMachine(UnitView unit) {
    String why = unit.waiting().isEmpty() ? "" : ": " + unit.waiting();
    return unit.unit().name() + " is on no machine" + why;
  }

  /**
   * The next line, with its end; an empty one now and then if there is nothing to say; nothing at
   * the end.
   *
   * @throws ClusterUnavailableException if another fleetd is to be asked for what follows
   */
  public Optional<byte[]> next() throws InterruptedException {
    while (true) {
      if (haveMoved()) {
        follow();
      }
      synchronized (lock) {
        if (leadLost) {
          throw new ClusterUnavailableException("another fleetd leads now");
        }
        if (readings.sweep()) {
          moved();
        }
        long now = System.nanoTime();
        Optional<byte[]> line = Optional.ofNullable(notices.poll()).or(() -> due(now));
        if (line.isPresent()) {
          quietSince = now;
          return line;
        }
        if (isOver()) {
          return Optional.empty();
        }
        if (now - quietSince >= heartbeatNanos) {
          quietSince = now;
          return Optional.of(MergedLine.HEARTBEAT);
        }
        TimeUnit.NANOSECONDS.timedWait(lock, untilNext(now));
      }
    }
  }

  /** Whether a line is available at once. */
  public boolean hasNext() {
    synchronized (lock) {
      return !notices.isEmpty()
          || first().filter(l -> untilDue(l, System.nanoTime()) <= 0).isPresent();
    }
  }

  private boolean isOver() {
    return closed
        || (!question.follow()
            && readings.lanes().stream()
                .allMatch(l -> l.phase() == MachineBuffer.Phase.ENDED && l.isEmpty()));
  }

  private Optional<MachineBuffer> first() {
    return readings.lanes().stream()
        .filter(l -> !l.isEmpty())
        .min(Comparator.comparingLong(MachineBuffer::micros));
  }

  private Optional<byte[]> due(long now) {
    return first().filter(lane -> untilDue(lane, now) <= 0).map(MachineBuffer::remove);
  }

  /** How long the first entry has to wait for possible earlier ones, in nanoseconds. */
  private long untilDue(MachineBuffer first, long now) {
    long until = 0;
    for (MachineBuffer other : readings.lanes()) {
      if (other.isEmpty()) {
        until = Math.max(until, untilDue(first, other, now));
      }
    }
    return until;
  }

  private long untilDue(MachineBuffer first, MachineBuffer other, long now) {
    return switch (other.phase()) {
      case AWAY, ENDED -> 0;
      case PAST -> question.follow() ? other.opened() + PATIENCE_NANOS - now : Long.MAX_VALUE;
      case LIVE ->
          first.phase() == MachineBuffer.Phase.LIVE
              ? HOLD_NANOS - Math.max(now - first.heldSince(), age(first))
              : 0;
    };
  }

  /** By the clock of its machine, which may be wrong. */
  private static long age(MachineBuffer first) {
    Instant now = Instant.now();
    long micros = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
    return TimeUnit.MICROSECONDS.toNanos(micros - first.micros());
  }

  private long untilNext(long now) {
    long until = quietSince + heartbeatNanos - now;
    if (movedSince != 0) {
      until = Math.min(until, movedSince + SETTLING_NANOS - now);
    }
    return Math.min(until, first().map(lane -> untilDue(lane, now)).orElse(until));
  }

  /** Whether all units were on machines, and all of these answered in full. */
  public boolean isComplete() {
    synchronized (lock) {
      return !isMissing && readings.isComplete();
    }
  }

  // ---- units that come, go and move

  private boolean haveMoved() {
    synchronized (lock) {
      boolean settled = movedSince != 0 && System.nanoTime() - movedSince >= SETTLING_NANOS;
      movedSince = settled ? 0 : movedSince;
      return settled;
    }
  }

  private void follow() {
    Map<String, Set<UnitName>> machines;
    try {
      machines = holders.machines(holders.units());
      holders.addLeaving(machines, followed());
    } catch (ClusterUnavailableException | NotLeadingException e) {
      moved();
      return;
    }
    synchronized (lock) {
      if (!closed) {
        readings.follow(machines);
      }
    }
  }

  private Map<String, Set<UnitName>> followed() {
    synchronized (lock) {
      return readings.followed();
    }
  }

  private void moved() {
    synchronized (lock) {
      movedSince = movedSince == 0 ? Math.max(1, System.nanoTime()) : movedSince;
      lock.notifyAll();
    }
  }

  private void watch() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try (EventStream events = cluster.follow(EventsFrom.NOW)) {
          // Events before this stream began were not seen.
          moved();
          watch(events);
        } catch (ClusterUnavailableException e) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
    } catch (NotLeadingException e) {
      leadIsLost();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void leadIsLost() {
    synchronized (lock) {
      leadLost = true;
      lock.notifyAll();
    }
  }

  private void watch(EventStream events) throws InterruptedException {
    while (true) {
      if (events.next(EVENTS).stream().anyMatch(event -> mayMove(event.body()))) {
        moved();
      }
    }
  }

  private boolean mayMove(Event.Body body) {
    return switch (body.kind()) {
      case UNIT, UNIT_DESTROYED, STATE_GONE -> isWanted(body);
      case STATE -> isWanted(body) && isNew(body.subject());
      case MACHINE, MACHINE_GONE -> question.audit().isPresent();
      case GAP -> true;
      default -> false;
    };
  }

  private boolean isWanted(Event.Body body) {
    return body.subject().unit().filter(question::wants).isPresent();
  }

  private boolean isNew(Event.Subject state) {
    synchronized (lock) {
      return !readings.follows(state.machine(), state.unit().orElseThrow());
    }
  }

  /** Ends the wait for a next line as well. Safe to call from any thread. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    watcher.interrupt();
    readings.close();
  }
}

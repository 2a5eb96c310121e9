package fleet.api.journal;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.core.question.Answer;
import fleet.core.question.Question.JournalEntries;
import fleet.core.unit.UnitName;
import fleet.entities.InvalidJsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one machine's part of the journal on a thread of its own, no faster than it is merged, and
 * asks again where the answer breaks off.
 */
final class MachineJournal implements AutoCloseable {

  /** What a line of journald takes at most, with every byte as a number. */
  private static final int LONGEST_LINE = 512 << 10;

  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LAST_PAUSE_MILLIS = 3000;

  private final Cluster cluster;
  private final JournalQuestion question;
  private final String machine;
  private final Set<UnitName> units;
  private final Optional<Instant> since;
  private final Lane lane;
  private @Nullable Answer answer;
  private boolean closed;

  /**
   * Begins to read.
   *
   * @param since where the lane has no cursor, the time to begin from in place of what the question
   *     says
   * @param lane takes what is read, and knows where to go on
   */
  MachineJournal(
      Cluster cluster,
      JournalQuestion question,
      String machine,
      Set<UnitName> units,
      Optional<Instant> since,
      Lane lane) {
    this.cluster = cluster;
    this.question = question;
    this.machine = machine;
    this.units = Set.copyOf(units);
    this.since = since;
    this.lane = lane;
    Thread.ofVirtual().name("journal-" + machine).start(this::run);
  }

  Set<UnitName> units() {
    return units;
  }

  private void run() {
    long pause = FIRST_PAUSE_MILLIS;
    try {
      while (true) {
        long read = lane.entries();
        Optional<String> fault = readOnce();
        if (fault.isEmpty() || isClosed()) {
          lane.ended();
          return;
        }
        pause = lane.entries() > read ? FIRST_PAUSE_MILLIS : pause;
        if (!lane.broken(fault.get(), pause)) {
          return;
        }
        pause = Math.min(LAST_PAUSE_MILLIS, 2 * pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads to the end; returns what is wrong where it did not come to that. */
  private Optional<String> readOnce() throws InterruptedException {
    try (Answer asked = ask()) {
      LineReader lines = new LineReader(asked.body(), LONGEST_LINE);
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        take(line.get());
      }
      return question.follow() ? Optional.of("its answer ended") : Optional.empty();
    } catch (IOException | UncheckedIOException | ClusterUnavailableException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Answer ask() throws IOException {
    Answer asked =
        cluster
            .ask(machine, next())
            .orElseThrow(() -> new IOException("it is not there, or cannot be reached"));
    synchronized (this) {
      answer = asked;
      if (closed) {
        asked.close();
      }
    }
    return asked;
  }

  private JournalEntries next() {
    String cursor = lane.cursor();
    Optional<Instant> from = lane.isPastRead() ? Optional.of(lane.asked()) : since;
    boolean goesOn = !cursor.isEmpty() || from.isPresent();
    return new JournalEntries(
        List.copyOf(units),
        goesOn ? JournalEntries.ALL : question.lines(),
        cursor.isEmpty() ? from.or(question::since) : Optional.empty(),
        cursor,
        question.follow(),
        question.whole());
  }

  private void take(LineReader.Line line) throws InterruptedException {
    if (line.tooLong()) {
      lane.notice("an entry of more than " + (LONGEST_LINE >> 10) + " KiB is left out");
    } else if (line.bytes().length == 0) {
      lane.pastIsRead();
    } else {
      try {
        lane.take(MergedLine.entry(line.bytes(), machine, units));
      } catch (InvalidJsonException e) {
        lane.notice("an entry is left out: " + e.getMessage());
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    Answer reading;
    synchronized (this) {
      closed = true;
      reading = answer;
    }
    if (reading != null) {
      reading.close();
    }
  }
}

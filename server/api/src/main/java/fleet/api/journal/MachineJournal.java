package fleet.api.journal;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.core.question.Answer;
import fleet.core.question.Question.JournalEntries;
import fleet.entities.InvalidJsonException;
import fleet.entities.JournalPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one machine's part of the journal on a thread of its own, no faster than it is merged, and
 * asks again if the answer breaks off.
 */
final class MachineJournal implements AutoCloseable {

  /** The longest line of journald, with every byte as a number. */
  private static final int LONGEST_LINE = 512 << 10;

  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LAST_PAUSE_MILLIS = 3000;

  private final Cluster cluster;
  private final JournalQuestion question;
  private final JournalSlice part;
  private final MachineBuffer lane;
  private @Nullable Answer answer;
  private boolean follow;

  /** Whether the answer was ended here, to ask again. */
  private boolean cutOff;

  private boolean closed;

  /**
   * @param lane takes what is read, and knows where to go on
   */
  MachineJournal(Cluster cluster, JournalQuestion question, JournalSlice part, MachineBuffer lane) {
    this.cluster = cluster;
    this.question = question;
    this.part = part;
    this.follow = part.follow();
    this.lane = lane;
    Thread.ofVirtual().name("journal-" + part.machine()).start(this::run);
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
        if (!wasCutOff()) {
          if (!lane.broken(fault.get(), pause)) {
            return;
          }
          pause = Math.min(LAST_PAUSE_MILLIS, 2 * pause);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads to the end; returns the fault if it did not get there. */
  private Optional<String> readOnce() throws InterruptedException {
    JournalEntries next = next();
    try (Answer asked = ask(next)) {
      LineReader lines = new LineReader(asked.body(), LONGEST_LINE);
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        take(line.get());
      }
      return next.follow() ? Optional.of("its answer ended") : Optional.empty();
    } catch (IOException
        | UncheckedIOException
        | ClusterUnavailableException
        | NotLeadingException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Answer ask(JournalEntries next) throws IOException {
    Answer asked =
        cluster
            .ask(part.machine(), question.asked(next))
            .orElseThrow(() -> new IOException("it is not there, or cannot be reached"));
    synchronized (this) {
      answer = asked;
      if (closed || next.follow() != follow) {
        asked.close();
      }
    }
    return asked;
  }

  private JournalEntries next() {
    String cursor = lane.cursor();
    Optional<Instant> from = lane.isPastRead() ? Optional.of(lane.asked()) : part.since();
    boolean goesOn = !cursor.isEmpty() || from.isPresent();
    return new JournalEntries(
        List.copyOf(part.units()),
        goesOn ? JournalEntries.ALL : question.lines(),
        cursor.isEmpty() ? from.or(question::since) : Optional.empty(),
        cursor,
        isFollowed(),
        question.whole());
  }

  private void take(LineReader.Line line) throws InterruptedException {
    if (line.tooLong()) {
      lane.notice("an entry of more than " + (LONGEST_LINE >> 10) + " KiB is left out");
    } else if (line.bytes().length == 0) {
      lane.pastIsRead();
    } else {
      try {
        MergedLine.Entry entry = MergedLine.entry(line.bytes(), part.machine(), part.units());
        if (part.has(new JournalPosition(entry.cursor()))) {
          lane.take(entry);
        }
      } catch (InvalidJsonException e) {
        lane.notice("an entry is left out: " + e.getMessage());
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean isFollowed() {
    return follow;
  }

  private synchronized boolean wasCutOff() {
    boolean was = cutOff;
    cutOff = false;
    return was;
  }

  /** Reads what is there now, and ends. */
  void finish() {
    Answer reading;
    synchronized (this) {
      cutOff = follow;
      follow = false;
      reading = answer;
    }
    if (reading != null) {
      reading.close();
    }
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

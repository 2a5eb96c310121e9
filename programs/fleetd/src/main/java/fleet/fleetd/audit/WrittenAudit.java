package fleet.fleetd.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditLog;
import fleet.core.audit.AuditThrottle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log of this machine. If it cannot be written fleetd says so, goes on, and says how many
 * entries were lost once it can again. Safe for use by many threads.
 */
public final class WrittenAudit implements AuditLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WrittenAudit.class);
  private static final String JOURNAL = "/run/systemd/journal/socket";
  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);

  /** Takes entries somewhere. */
  private interface Place {
    void write(AuditEntry entry) throws IOException;
  }

  private final AuditThrottle floods;
  private final Duration window;
  private final AuditJournal journal;
  private final Target toJournal;
  private final Optional<Target> toFile;
  private Optional<Thread> telling = Optional.empty();

  /** A place, and what of it was lost. */
  private static final class Target {
    private final String name;
    private final Place place;
    private final AtomicLong lost = new AtomicLong();

    Target(String name, Place place) {
      this.name = name;
      this.place = place;
    }

    void write(AuditEntry entry) {
      try {
        place.write(entry);
        long missing = lost.getAndSet(0);
        if (missing > 0) {
          LOG.error("{} is written again; {} entries were lost", name, missing);
        }
      } catch (IOException e) {
        if (lost.getAndIncrement() == 0) {
          LOG.error("{} cannot be written, entries are lost: {}", name, e.toString());
        }
      }
    }
  }

  /**
   * Writes nothing yet.
   *
   * @param address of the journal's socket
   * @param window after which a flood is told of
   */
  WrittenAudit(String machine, String address, Optional<Path> path, Duration window)
      throws IOException {
    this.window = window;
    this.floods = new AuditThrottle(window);
    this.journal = new AuditJournal(address);
    this.toJournal = new Target("the audit log in the journal", journal::write);
    this.toFile =
        path.map(file ->
            new Target(
                "the audit log in " + file,
                entry -> append(file, entry.json(Instant.now(), machine) + "\n")));
  }

  /**
   * Opens the log.
   *
   * @param machine id of this one
   * @param file where it goes beside the journal
   * @throws IOException if the file cannot be written; the message is for the operator
   */
  public static WrittenAudit open(String machine, Optional<Path> file) throws IOException {
    if (file.isPresent()) {
      try {
        append(file.get(), "");
      } catch (IOException e) {
        throw new IOException(
            "audit_file=" + file.get() + " cannot be written: " + e + ": name another file", e);
      }
    }
    return new WrittenAudit(machine, JOURNAL, file, AuditThrottle.WINDOW);
  }

  /**
   * Appends to a file that its owner alone can read, and makes it if there is none. It is opened
   * for each line, so that log rotation needs no signal.
   */
  private static void append(Path path, String line) throws IOException {
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (FileChannel file = FileChannel.open(path, APPEND, owner)) {
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        int _ = file.write(bytes);
      }
    }
  }

  @Override
  public void record(AuditEntry entry) {
    long now = System.nanoTime();
    List<AuditEntry> written = new ArrayList<>();
    synchronized (this) {
      written.addAll(floods.ended(now));
      if (floods.admits(entry, now)) {
        written.add(entry);
      } else if (telling.isEmpty()) {
        telling = Optional.of(Thread.ofVirtual().name("audit-flood").start(this::tell));
      }
    }
    written.forEach(this::write);
  }

  private void write(AuditEntry entry) {
    toJournal.write(entry);
    toFile.ifPresent(file -> file.write(entry));
  }

  /** Reports a flood even if there is no other entry. */
  private void tell() {
    try {
      boolean more = true;
      while (more) {
        Thread.sleep(window);
        List<AuditEntry> counted;
        synchronized (this) {
          counted = floods.ended(System.nanoTime());
          more = floods.isHoldingBack();
          telling = telling.filter(_ -> floods.isHoldingBack());
        }
        counted.forEach(this::write);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports what was left out so far. */
  @Override
  public void close() {
    List<AuditEntry> counted;
    synchronized (this) {
      telling.ifPresent(Thread::interrupt);
      counted = floods.ended(System.nanoTime() + window.toNanos());
    }
    counted.forEach(this::write);
    journal.close();
  }
}

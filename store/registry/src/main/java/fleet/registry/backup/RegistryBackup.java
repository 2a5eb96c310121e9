package fleet.registry.backup;

import fleet.core.backup.BackupHeader;
import fleet.core.backup.BackupSeal;
import fleet.core.backup.InvalidBackupException;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Write;
import fleet.registry.move.RegistryMove;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * All lasting entries of a registry at one revision, as text: a line for each key and its value,
 * with a TAB between. Values are JSON, and have no line ends.
 */
public final class RegistryBackup {

  /** As many as a store takes at once. */
  private static final int MOST_WRITES = 50;

  private final BackupHeader header;
  private final List<Entry> entries;

  private RegistryBackup(BackupHeader header, List<Entry> entries) {
    this.header = header;
    this.entries = List.copyOf(entries);
  }

  /**
   * Reads a registry, which others go on using.
   *
   * @throws RegistryException if it does not answer
   */
  public static RegistryBackup of(Registry registry, Clock clock) {
    Snapshot snapshot = registry.read("");
    return new RegistryBackup(
        new BackupHeader(
            registry.storeId(),
            snapshot.revision(),
            clock.instant().truncatedTo(ChronoUnit.SECONDS)),
        RegistryMove.lasting(snapshot).toList());
  }

  /**
   * Reads what {@link #writeTo} wrote.
   *
   * @throws InvalidBackupException if it is not whole
   */
  public static RegistryBackup read(BufferedReader lines)
      throws IOException, InvalidBackupException {
    BackupSeal seal = new BackupSeal();
    List<Entry> entries = new ArrayList<>();
    String first = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      first = first.isEmpty() ? line : first;
      if (seal.read(line)) {
        entries.add(entry(line));
      }
    }
    seal.expectWhole();
    return new RegistryBackup(BackupHeader.of(first), entries);
  }

  private static Entry entry(String line) throws InvalidBackupException {
    int tab = line.indexOf('\t');
    if (tab < 1) {
      throw new InvalidBackupException("a line has no key: " + line);
    }
    return new Entry(line.substring(0, tab), line.substring(tab + 1), 0, 0);
  }

  public BackupHeader header() {
    return header;
  }

  /** How many of its keys begin so. */
  public long count(String prefix) {
    return entries.stream().filter(entry -> entry.key().startsWith(prefix)).count();
  }

  public void writeTo(OutputStream out) throws IOException {
    BackupSeal seal = new BackupSeal();
    write(out, seal, header.line());
    for (Entry entry : entries) {
      write(out, seal, line(entry));
    }
    out.write((seal.line() + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void write(OutputStream out, BackupSeal seal, String line) throws IOException {
    seal.add(line);
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String line(Entry entry) throws IOException {
    String line = entry.key() + "\t" + entry.value();
    if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0 || entry.key().indexOf('\t') >= 0) {
      throw new IOException("the value of " + entry.key() + " in the registry has line ends");
    }
    return line;
  }

  /**
   * Writes all entries into an empty registry, which nobody uses yet.
   *
   * @param clock for what has happened since the backup, see {@link RestoredEntries}
   * @param renewal for how long before the end of its certificate a machine may have another
   * @throws RegistryException if it is not empty, or does not take them
   */
  public void restore(Registry empty, Clock clock, Duration renewal) {
    var restored = new RestoredEntries(clock.instant(), renewal);
    List<Write> writes = new ArrayList<>();
    for (Entry entry : entries) {
      restored.value(entry).ifPresent(value -> writes.add(new Write.Put(entry.key(), value)));
      if (writes.size() == MOST_WRITES) {
        commit(empty, writes);
        writes.clear();
      }
    }
    commit(empty, writes);
  }

  private static void commit(Registry registry, List<Write> writes) {
    if (!writes.isEmpty()
        && registry.commit(new Transaction(List.of(), List.copyOf(writes)))
            instanceof Outcome.Refused) {
      throw new RegistryException("the registry has taken a part of the backup only");
    }
  }
}

package fleet.registry.embedded;

import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry in one directory of this machine, for one fleetd.
 *
 * <p>Acknowledged commits have been synced to the disk. Opening reads and checks everything; a
 * damaged registry is refused and left unchanged. Watches can go back to the revision it was opened
 * with, within the bounds of {@link Options}. A full or failing disk fails the commits that meet
 * it, and no others: reads go on, and commits do when there is room again.
 */
public final class EmbeddedRegistry implements Registry {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedRegistry.class);

  /**
   * Bounds of what is kept for watches that are behind.
   *
   * @param keptRevisions how many commits
   * @param keptBytes how large they may be together; the newest commit is kept whatever its size
   */
  public record Options(int keptRevisions, long keptBytes) {
    public static final Options DEFAULT = new Options(10_000, 4 << 20);
  }

  private final DirectoryLock lock;
  private final Storage storage;
  private final ChangeLog changes;
  private final Committer committer;
  private final Set<ChangeLogWatch> watches = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedRegistry(DirectoryLock lock, Storage storage, Options options) {
    this.lock = lock;
    this.storage = storage;
    this.changes =
        new ChangeLog(storage.state().revision(), options.keptRevisions(), options.keptBytes());
    this.committer =
        new Committer(
            storage.writer(), storage.acknowledged(), changes, storage.state(), storage.faults());
  }

  /** Whether a directory has one that has not moved elsewhere. */
  public static boolean isIn(Path dataDirectory) {
    return Files.exists(dataDirectory.resolve(RegistryFiles.DATABASE))
        && !Files.exists(dataDirectory.resolve(RegistryFiles.MOVED));
  }

  /**
   * Opens the registry in a directory, and makes both if there are none.
   *
   * @throws RegistryException if it has moved elsewhere, is damaged, in use, or cannot be read and
   *     written
   */
  public static EmbeddedRegistry open(Path dataDirectory, Options options) {
    RegistryFiles files = RegistryFiles.in(dataDirectory);
    files.text(RegistryFiles.MOVED).ifPresent(where -> refuse(files, where));
    DirectoryLock lock = DirectoryLock.take(files);
    try {
      files.keepPrivate();
      return new EmbeddedRegistry(lock, Storage.open(files), options);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  public static EmbeddedRegistry open(Path dataDirectory) {
    return open(dataDirectory, Options.DEFAULT);
  }

  /**
   * Rewrites the files, so that no overwritten or deleted content is left in them. The registry
   * must not be open.
   *
   * @throws RegistryException if it is in use, or cannot be read and written
   */
  public static void rewrite(Path dataDirectory) {
    RegistryFiles files = RegistryFiles.in(dataDirectory);
    try (DirectoryLock _ = DirectoryLock.take(files)) {
      Database.rewrite(files.path(RegistryFiles.DATABASE));
    } catch (SQLException e) {
      throw new FileFaults(files.directory()).of(e);
    }
  }

  private static void refuse(RegistryFiles files, String where) {
    throw new RegistryException(
        ("the registry in %s was moved to %s, and the cluster has gone on from there: set"
                + " etcd_servers again; or, to go back to what was here then, delete %s")
            .formatted(files.directory(), where.strip(), files.path(RegistryFiles.MOVED)));
  }

  /**
   * From now on it cannot be opened here any more: another one has taken its place.
   *
   * @param where that one is, for people
   */
  public void movedTo(String where) {
    RegistryFiles.in(directory()).create(RegistryFiles.MOVED, where + "\n");
  }

  /** Where the registry is, with symbolic links resolved. */
  public Path directory() {
    return storage.faults().directory();
  }

  @Override
  public String storeId() {
    return storage.state().id();
  }

  @Override
  public OptionalLong size() {
    try {
      long size = 0;
      for (String file : List.of(RegistryFiles.DATABASE, RegistryFiles.LOG)) {
        Path path = directory().resolve(file);
        size += Files.exists(path) ? Files.size(path) : 0;
      }
      return OptionalLong.of(size);
    } catch (IOException e) {
      log.debug("registry: its size is not known", e);
      return OptionalLong.empty();
    }
  }

  @Override
  public Optional<Entry> get(String key) {
    return storage.reader().get(key);
  }

  @Override
  public Snapshot read(String prefix) {
    return storage.reader().read(prefix);
  }

  @Override
  public Outcome commit(Transaction transaction) {
    return committer.commit(List.of(transaction)).getFirst();
  }

  @Override
  public List<Outcome> commit(List<Transaction> transactions) {
    return committer.commit(transactions);
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    long afterRevision = from.revision();
    long revision = storage.reader().revision();
    if (afterRevision > revision) {
      throw new RegistryException(
          ("cannot watch from revision %d: the registry in %s is at %d; the revision is another"
                  + " store's")
              .formatted(afterRevision, directory(), revision));
    }
    changes.check(afterRevision);
    ChangeLogWatch watch = new ChangeLogWatch(changes, prefix, afterRevision, watcher, watches);
    watch.start();
    if (closed.get()) {
      watch.close();
      throw storage.faults().closed();
    }
    return watch;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try (lock) {
      committer.close();
      List.copyOf(watches).forEach(ChangeLogWatch::close);
      storage.close();
    } catch (SQLException | IOException e) {
      log.warn("registry in {} was not closed cleanly; nothing is lost", directory(), e);
    }
  }
}

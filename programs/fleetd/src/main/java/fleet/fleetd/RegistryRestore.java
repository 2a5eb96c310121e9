package fleet.fleetd;

import fleet.core.backup.InvalidBackupException;
import fleet.fleetd.config.Configuration;
import fleet.registry.RegistryException;
import fleet.registry.backup.RegistryBackup;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.embedded.RegistryReplacement;
import fleet.registry.records.Keys;
import fleet.trust.StoredAuthority;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Restores the registry of this machine from a backup, while no fleetd runs. It gets another id, so
 * that nobody takes its revisions for those of the former one.
 */
final class RegistryRestore {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

  private final Configuration configuration;
  private final PrintStream out;
  private final Clock clock;

  /**
   * @param out takes what was done, for people
   */
  RegistryRestore(Configuration configuration, PrintStream out, Clock clock) {
    this.configuration = configuration;
    this.out = out;
    this.clock = clock;
  }

  /**
   * Returns once the registry is there.
   *
   * @param force whether a registry that is there is put aside
   * @throws FatalException if nothing was restored, and why
   */
  void carryOut(Path file, boolean force) throws FatalException {
    expectEmbedded();
    RegistryBackup backup = read(file);
    Configuration.Directories directories = configuration.directories();
    WorkingDirectories.ofThisProcess().make(directories);
    try (RuntimeLock _ = RuntimeLock.take(directories.runtime())) {
      restore(backup, directories.data(), force);
    } catch (IOException | RegistryException e) {
      throw new FatalException("the backup was not restored: " + Failures.describe(e), e);
    }
  }

  private void expectEmbedded() throws FatalException {
    if (configuration.etcd().isPresent()) {
      throw FatalException.toCorrect(
          "the registry is in etcd (etcd_servers): restore it there, or remove etcd_servers,"
              + " restore it here and set etcd_servers again, with an empty etcd",
          null);
    }
    if (configuration.join().isPresent()) {
      throw FatalException.toCorrect(
          "this machine has no registry, since it has joined others (join): restore it on a server",
          null);
    }
  }

  private static RegistryBackup read(Path file) throws FatalException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      return RegistryBackup.read(lines);
    } catch (InvalidBackupException e) {
      throw FatalException.toCorrect(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw FatalException.toCorrect(file + " cannot be read: " + Failures.describe(e), e);
    }
  }

  private void restore(RegistryBackup backup, Path data, boolean force)
      throws FatalException, IOException {
    RegistryReplacement replacement = new RegistryReplacement(data);
    boolean occupied = replacement.isOccupied();
    if (occupied && !force) {
      throw FatalException.toCorrect(
          "there is a registry in %s already: --force puts it aside".formatted(data), null);
    }
    Path filled = data.resolve("restored");
    RegistryReplacement.delete(filled);
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(filled)) {
      backup.restore(registry, clock, StoredAuthority.LIFE.dividedBy(2));
    }
    Path aside = data.resolve("before-restore-" + TIME.format(clock.instant()));
    replacement.carryOut(filled, aside);
    tell(backup, data, occupied, aside);
  }

  private void tell(RegistryBackup backup, Path data, boolean occupied, Path aside) {
    out.println(
        "Restored %d units, as of %s, into %s."
            .formatted(backup.count(Keys.UNITS), backup.header().time(), data));
    if (occupied) {
      out.println("The former registry is in " + aside + ".");
    }
    if (backup.count(Keys.AUTHORITY) > 0 && !Files.exists(data.resolve("server.key"))) {
      out.println(
          "The key of the cluster's authority is missing: copy server.key of a server, or of your"
              + " backup of it, into "
              + data
              + ".");
    }
    out.println("Units that are not in the backup are stopped once fleetd starts.");
  }
}

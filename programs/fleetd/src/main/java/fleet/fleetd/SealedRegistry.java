package fleet.fleetd;

import fleet.registry.Entry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.Keys;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import fleet.trust.TrustException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/**
 * Opens the embedded registry such that the private key of the cluster's authority is nowhere in
 * its files in clear. An older version left it so.
 */
final class SealedRegistry {

  /** Marks that the files must be rewritten, even after a crash in the middle of that. */
  private static final String UNSEALED = "unsealed";

  private SealedRegistry() {}

  /**
   * Opens it, and makes it if there is none.
   *
   * @param self id of this machine
   * @throws TrustException if the key cannot be sealed
   * @throws IOException if the directory cannot be written to
   * @throws fleet.registry.RegistryException as {@link EmbeddedRegistry#open}
   */
  static EmbeddedRegistry open(Path data, String self) throws TrustException, IOException {
    EmbeddedRegistry registry = EmbeddedRegistry.open(data);
    Path mark = data.resolve(UNSEALED);
    try {
      if (!isClear(registry) && !Files.exists(mark)) {
        return registry;
      }
      Files.writeString(mark, "");
      boolean _ = authority(registry, data, self).seal();
    } catch (TrustException | IOException | RuntimeException e) {
      registry.close();
      throw e;
    }
    registry.close();
    EmbeddedRegistry.rewrite(data);
    Files.delete(mark);
    return EmbeddedRegistry.open(data);
  }

  private static boolean isClear(EmbeddedRegistry registry) {
    Optional<Entry> stored = registry.get(Keys.AUTHORITY);
    return stored.map(AuthorityRecord::of).filter(record -> !record.isSealed()).isPresent();
  }

  private static StoredAuthority authority(EmbeddedRegistry registry, Path data, String self) {
    Clock clock = Clock.systemUTC();
    var keys = new ServerKeys(registry, new ServerKeyFile(data), self, clock);
    return new StoredAuthority(registry, keys, clock);
  }
}

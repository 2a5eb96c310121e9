package fleet.fleetd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that an older version left in the files of the registry. */
class SealedRegistryTest {

  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;

  /** The attack: look into the files, also into what SQLite does not use any more. */
  private boolean isInSomeFile(String secret) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, ISO_8859_1).contains(secret)) {
          return true;
        }
      }
      return false;
    }
  }

  private StoredAuthority authority(EmbeddedRegistry registry) {
    var keys = new ServerKeys(registry, new ServerKeyFile(directory), "m1", CLOCK);
    return new StoredAuthority(registry, keys, CLOCK);
  }

  /** As the version before wrote it. */
  private String olderRegistry() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    String secret =
        Base64.getEncoder().encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      authority(registry).certificate();
      String sealed = registry.get(Keys.AUTHORITY).orElseThrow().value();
      String clear =
          sealed.replaceFirst(
              "\"sealedKey\".*",
              "\"key\":\"-----BEGIN PRIVATE KEY-----\\\\n%s\\\\n-----END PRIVATE KEY-----\\\\n\"}"
                  .formatted(secret));
      registry.commit(Transaction.when().put(Keys.AUTHORITY, clear).build());
      for (int i = 0; i < 100; i++) {
        registry.commit(Transaction.when().put("unit/" + i, "x".repeat(300)).build());
      }
    }
    return secret;
  }

  @Test
  void noFileHasTheAuthoritysKeyOnceItIsOpened() throws Exception {
    String secret = olderRegistry();
    assertThat(isInSomeFile(secret)).isTrue();

    try (EmbeddedRegistry registry = SealedRegistry.open(directory, "m1")) {
      assertThat(registry.read("unit/").entries()).hasSize(100);
      assertThat(isInSomeFile(secret)).isFalse();
      assertThat(authority(registry).seal()).isFalse();
    }
    assertThat(isInSomeFile(secret)).isFalse();
    try (EmbeddedRegistry again = SealedRegistry.open(directory, "m1")) {
      assertThat(again.read("unit/").entries()).hasSize(100);
    }
  }

  @Test
  void aCrashInTheMiddleIsMadeUpFor() throws Exception {
    String secret = olderRegistry();
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      assertThat(authority(registry).seal()).isTrue();
    }
    Files.writeString(directory.resolve("unsealed"), "");

    SealedRegistry.open(directory, "m1").close();

    assertThat(isInSomeFile(secret)).isFalse();
    assertThat(List.of("unsealed")).noneMatch(name -> Files.exists(directory.resolve(name)));
  }
}

package fleet.registry.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Entry;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system of two megabytes, which only root may mount. */
class FullDiskTest {

  private static final String VALUE = "x".repeat(20_000);

  @TempDir Path directory;
  private Path mounted = Path.of("");
  private Path ballast = Path.of("");

  @BeforeEach
  void mount() throws Exception {
    mounted = Files.createDirectory(directory.resolve("small"));
    run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", mounted.toString());
    ballast = Files.write(mounted.resolve("ballast"), new byte[600_000]);
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", mounted.toString());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("this test needs root, to mount a small file system: %s", output)
        .isZero();
  }

  private Path data() {
    return mounted.resolve("data");
  }

  /** Commits until one fails; the number of those that did not. */
  private static int fill(EmbeddedRegistry registry) {
    for (int i = 0; i < 1_000; i++) {
      Transaction two = Transaction.when().put("a/" + i, VALUE).put("b/" + i, VALUE).build();
      try {
        registry.commit(two);
      } catch (RegistryException e) {
        assertThat(e)
            .hasMessage(
                "nothing written: the disk of the registry in %s is full; make room there",
                registry.directory());
        return i;
      }
    }
    throw new AssertionError("two megabytes held more than forty");
  }

  private static void assertHolds(EmbeddedRegistry registry, int commits) {
    List<String> numbers =
        IntStream.range(0, commits).mapToObj(Integer::toString).sorted().toList();
    for (String prefix : List.of("a/", "b/")) {
      assertThat(registry.read(prefix).entries())
          .extracting(entry -> entry.key().substring(prefix.length()))
          .isEqualTo(numbers);
      assertThat(registry.read(prefix).entries()).extracting(Entry::value).containsOnly(VALUE);
    }
  }

  @Test
  void aFullDiskFailsCommitsButLosesNothingAndReadsGoOn() throws Exception {
    int commits;
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(data())) {
      commits = fill(registry);
      assertThat(commits).isPositive();
      long revision = registry.read("").revision();
      assertHolds(registry, commits);
      assertThatThrownBy(
              () -> registry.commit(Transaction.when().put("c", VALUE.repeat(5)).build()))
          .hasMessageContaining("is full");
      assertThat(registry.read("").revision()).isEqualTo(revision);

      Files.delete(ballast);
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", at(revision), recorder)) {
        assertThat(registry.commit(Transaction.when().put("c", VALUE).build()).revision())
            .isEqualTo(revision + 1);
        assertThat(recorder.next().revision()).isEqualTo(revision + 1);
      }
    }
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(data())) {
      assertHolds(registry, commits);
      assertThat(registry.get("c")).isPresent();
    }
  }

  @Test
  void aKillWhileTheDiskIsFullLosesNothing() {
    Copies killed;
    int commits;
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(data())) {
      commits = fill(registry);
      killed = Copies.of(registry.directory());
    }
    try (EmbeddedRegistry registry =
        EmbeddedRegistry.open(killed.in(directory.resolve("elsewhere")))) {
      assertHolds(registry, commits);
    }
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(data())) {
      assertHolds(registry, commits);
    }
  }

  @Test
  void aCommitTooLargeForTheDiskFailsAlone() throws Exception {
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(data());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var tooLarge =
          threads.submit(
              () -> registry.commit(Transaction.when().put("large", "x".repeat(3 << 20)).build()));
      var small =
          IntStream.range(0, 20)
              .mapToObj(i ->
                  threads.submit(
                      () -> registry.commit(Transaction.when().put("small/" + i, "x").build())))
              .toList();
      for (var one : small) {
        one.get();
      }
      assertThatThrownBy(tooLarge::get)
          .hasCauseInstanceOf(RegistryException.class)
          .hasMessageContaining("is full");
      assertThat(registry.read("small/").entries()).hasSize(20);
      assertThat(registry.get("large")).isEmpty();
    }
  }

  @Test
  void aFileSystemThatMayNotBeWrittenIsRefused() throws Exception {
    EmbeddedRegistry.open(data()).close();
    run("mount", "-o", "remount,ro", mounted.toString());
    assertThatThrownBy(() -> EmbeddedRegistry.open(data()))
        .isInstanceOf(RegistryException.class)
        .hasMessage(
            "registry cannot use %s: no permission to use it; check owner, mode and mount", data());
  }

  private static Snapshot at(long revision) {
    return new Snapshot(revision, List.of());
  }
}

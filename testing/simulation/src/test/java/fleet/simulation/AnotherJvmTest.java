package fleet.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A seed is the same life in any JVM. What {@code Set.of}, {@code Map.copyOf} and their like
 * iterate over comes in an order that each JVM draws by lot, and so does what is hashed by
 * identity: neither may decide what happens next.
 */
class AnotherJvmTest {

  private static final int SEEDS = 2;

  @TempDir Path directory;

  @Test
  void seedsLiveTheSameLifeInTwoJvms() throws IOException, InterruptedException {
    List<Process> jvms = Stream.of("one", "two").map(this::live).toList();

    List<List<String>> lives = jvms.stream().map(AnotherJvmTest::told).toList();

    for (Process jvm : jvms) {
      assertThat(jvm.waitFor()).as("%s", lives).isZero();
    }
    assertThat(lives.getFirst()).hasSizeGreaterThan(SEEDS);
    assertThat(lives.getLast()).isEqualTo(lives.getFirst());
  }

  private Process live(String name) {
    Path own = directory.resolve(name);
    try {
      assertThat(own.toFile().mkdir()).isTrue();
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-Xmx256m",
              "--add-opens",
              "java.base/java.lang=ALL-UNNAMED",
              "-cp",
              System.getProperty("java.class.path"),
              Main.class.getName(),
              "1",
              Integer.toString(SEEDS))
          .directory(own.toFile())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Until it ends. */
  private static List<String> told(Process jvm) {
    try (var lines = jvm.inputReader(UTF_8)) {
      return lines.lines().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

package fleet.fleetctl.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ExitHookTest {

  private static final String JAVA = System.getProperty("java.home") + "/bin/java";

  /** Without hooks, fleetctl halts; an exit would look for loggers. */
  @Test
  void fleetctlStartsAndEndsWithoutWhatTakesLong() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    JAVA,
                    "-Xlog:class+init=info",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "fleet.fleetctl.Main",
                    "version"))
            .redirectErrorStream(true)
            .start();
    String log = new String(process.getInputStream().readAllBytes(), US_ASCII);

    assertThat(process.waitFor()).isZero();
    assertThat(log)
        .contains("fleetctl version", "fleet/fleetctl/Main")
        .doesNotContain("java/math/BigDecimal", "jdk/internal/logger/LazyLoggers");
  }

  @Test
  void aHookThatWasAddedAndNotRemovedKeepsFleetctlFromHalting() {
    boolean before = ExitHook.areNone();

    ExitHook hook = new ExitHook("test", () -> {});
    assertThat(ExitHook.areNone()).isFalse();
    assertThat(hook.remove()).isTrue();
    assertThat(ExitHook.areNone()).isEqualTo(before);
  }
}

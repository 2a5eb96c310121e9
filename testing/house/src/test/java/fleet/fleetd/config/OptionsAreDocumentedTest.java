package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Stands in this package because the options are nobody else's business. */
class OptionsAreDocumentedTest {

  private static final Path EXAMPLE =
      Path.of("../..", "build", "dist", "files", "etc", "fleet.conf.example");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Option.class)
  void theGuideHasARowForTheOption(Option option) throws Exception {
    List<String> rows =
        Files.readAllLines(Path.of("../..", "docs", "guide.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf('`', 3) + 1))
            .toList();
    assertThat(rows).contains("| `" + option.key() + "`");
  }

  // ---- fleet.conf.example

  @ParameterizedTest
  @EnumSource(
      value = Option.class,
      mode = Mode.EXCLUDE,
      names = {"VERIFY_UNITS", "AUTHORIZED_KEYS_FILE", "DISABLE_WATCHES"})
  void theExampleHasALineForTheOption(Option option) throws Exception {
    assertThat(Files.readAllLines(EXAMPLE))
        .anyMatch(line -> line.startsWith("# " + option.key() + "="));
  }

  @Test
  void theExampleShowsTheDefaults() throws Exception {
    String lines =
        Stream.of(Files.readString(EXAMPLE).split("\n\n", -1))
            .filter(paragraph -> !paragraph.replace("\n# ", " ").contains("or example:"))
            .flatMap(String::lines)
            .filter(line -> line.matches("# [a-z_]+=.*"))
            .map(line -> line.substring(2))
            .collect(Collectors.joining("\n"));

    assertThat(lines).contains("agent_ttl=", "storm_percent=", "etcd_request_timeout=");
    assertThat(read(lines)).isEqualTo(read(""));
  }

  private Configuration read(String lines) throws Exception {
    Path file = directory.resolve("fleet.conf");
    Files.writeString(file, "etcd_servers=[\"https://10.0.0.1:2379\"]\n" + lines);
    return new ConfigurationReader(Map.of(), Map.of(), file)
        .read(Optional.of(file))
        .configuration();
  }
}

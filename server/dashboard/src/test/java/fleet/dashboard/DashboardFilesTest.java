package fleet.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardFilesTest {

  private static final int MOST = 150 << 10;

  /** How pages and modules name the files that a browser is to load. */
  private static final Pattern LOADED =
      Pattern.compile("(?:from\\s*|import\\s*\\(?|src=|href=)[\"']([^\"'#]+)[\"']");

  private static DashboardFile file(String path) {
    try {
      return DashboardFiles.find(path).orElseThrow(() -> new AssertionError("no " + path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that a browser loads. */
  private static final List<String> PATHS =
      List.of("/", "/dashboard/main.js", "/dashboard/dashboard.css", "/dashboard/icon.svg");

  private static String text(String path) {
    return new String(file(path).plain(), UTF_8);
  }

  @Test
  void everyFileIsFound() {
    assertThat(PATHS).allSatisfy(path -> assertThat(text(path)).isNotEmpty());
    assertThat(text("/")).startsWith("<!doctype html>");
    assertThat(file("/").mediaType()).isEqualTo("text/html; charset=utf-8");
    assertThat(file("/dashboard/main.js").mediaType()).isEqualTo("text/javascript; charset=utf-8");
    assertThat(file("/dashboard/lib/preact-license.txt").mediaType()).startsWith("text/plain");
    assertThat(text("/dashboard/lib/htm-license.txt")).contains("Apache License");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dashboard",
        "/dashboard/",
        "/dashboard/nothing.js",
        "/dashboard/main",
        "/dashboard/main.js.gz",
        "/dashboard/main.exe",
        "/dashboard/views/",
        "/dashboard//main.js",
        "/dashboard/./main.js",
        "/dashboard/../DashboardFiles.class",
        "/dashboard/lib/../main.js",
        "/dashboard/%2e%2e/main.js",
        "/main.js",
      })
  void nothingElseIsFound(String path) throws IOException {
    assertThat(DashboardFiles.find(path)).isEmpty();
  }

  @Test
  void theTagIsOfTheContent() {
    assertThat(file("/").tag()).isEqualTo(file("/dashboard/index.html").tag()).hasSize(32);
    assertThat(file("/").tag()).isNotEqualTo(file("/dashboard/main.js").tag());
  }

  /** Browsers would ask another host for what is not here, or find no module of a bare name. */
  @Test
  void filesLoadOnlyFilesThatAreHere() throws IOException {
    for (String path : PATHS) {
      if (path.endsWith(".js") || path.endsWith(".html")) {
        Matcher loaded = LOADED.matcher(text(path));
        while (loaded.find()) {
          String target = URI.create(path).resolve(loaded.group(1)).toString();
          assertThat(loaded.group(1)).as(path).matches("\\.{0,2}/.*");
          assertThat(DashboardFiles.find(target)).as("%s in %s", target, path).isPresent();
        }
      }
    }
  }

  /** Each request takes its time: it comes through fleetctl and fleetd. */
  @Test
  void modulesAndLibrariesAreOneFile() {
    assertThat(text("/dashboard/main.js"))
        .doesNotContainPattern("\\bimport\\s*[\"'{*]")
        .contains("No such view", "Begin maintenance");
  }

  @Test
  void aBrowserLoadsLittle() {
    assertThat(PATHS.stream().mapToInt(path -> file(path).compressed().length).sum())
        .isLessThan(MOST);
  }
}

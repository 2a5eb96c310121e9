package fleet.fleetd.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLayoutTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"ERROR, 3", "WARN, 4", "INFO, 6", "DEBUG, 7", "TRACE, 7"})
  void journalGetsThePriority(String level, int priority) {
    assertThat(new LogLayout(true).doLayout(event(Level.toLevel(level), "unit {} started", null)))
        .isEqualTo("<" + priority + ">" + level + " Agent: unit web.service started\n");
  }

  @Test
  void everyLineForTheJournalHasItsPriority() {
    String text =
        new LogLayout(true)
            .doLayout(event(Level.ERROR, "unit {} failed", new IOException("disk full")));

    assertThat(text.lines()).hasSizeGreaterThan(3).allMatch(line -> line.startsWith("<3>"));
    assertThat(text).contains("<3>| java.io.IOException: disk full\n");
  }

  @Test
  void nobodyBeginsALineOfTheirOwn() {
    String forged = "nope\nINFO UnitPutsResource: backdoor.service created by user root\r\033[2J";

    String text =
        new LogLayout(true)
            .doLayout(event(Level.WARN, "refused: " + forged, new IOException(forged)));

    assertThat(text.lines().findFirst())
        .contains(
            "<4>WARN Agent: refused: nope\\x0aINFO UnitPutsResource: backdoor.service created by user"
                + " root\\x0d\\x1b[2J");
    assertThat(text.lines().skip(1)).allMatch(line -> line.startsWith("<4>| "));
  }

  @Test
  void peopleGetTheTime() {
    assertThat(new LogLayout(false).doLayout(event(Level.WARN, "unit {} failed", null)))
        .matches(
            "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN Agent: unit web.service failed\n");
  }

  @Test
  void streamIsTheJournalOnlyWhereDeviceAndInodeSaySo() throws Exception {
    Path file = Files.createFile(directory.resolve("stream"));
    String stream =
        Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino");

    assertThat(JournalStream.matches(stream, file)).isTrue();
    assertThat(JournalStream.matches("1:1", file)).isFalse();
    assertThat(JournalStream.matches("", file)).isFalse();
    assertThat(JournalStream.matches(stream, directory.resolve("gone"))).isFalse();
  }

  private static LoggingEvent event(Level level, String text, @Nullable Throwable thrown) {
    Logger logger = new LoggerContext().getLogger("fleet.agent.Agent");
    return new LoggingEvent("test", logger, level, text, thrown, new Object[] {"web.service"});
  }
}

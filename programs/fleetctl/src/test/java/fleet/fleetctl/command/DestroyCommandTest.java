package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A question before many units are gone. */
final class DestroyCommandTest {

  private static final int UNITS = 14;

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void units() throws Exception {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    for (int i = 1; i <= UNITS; i++) {
      daemon.add("w@" + i + ".service", "[Service]\nExecStart=/bin/true\n", "launched");
    }
    daemon.add("db.service", "[Service]\nExecStart=/bin/true\n", "launched");
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private static String[] destroy(int count, String... more) {
    return Stream.of(
            Stream.of("destroy"),
            Arrays.stream(more),
            IntStream.rangeClosed(1, count).mapToObj(i -> "w@" + i))
        .flatMap(part -> part)
        .toArray(String[]::new);
  }

  private long left() {
    return IntStream.rangeClosed(1, UNITS)
        .filter(i -> daemon.unit("w@" + i + ".service").isPresent())
        .count();
  }

  /** As scripts of fleet 1.0 expect. */
  @Test
  void aFewUnitsAreDestroyedWithoutAQuestion() {
    Ran ran = terminal().typing("").run(destroy(10));
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(left()).isEqualTo(4);
  }

  @Test
  void withoutATerminalManyUnitsTakeAFlag() {
    assertThat(terminal().run(destroy(11)))
        .isEqualTo(
            new Ran(1, "", "Error: this would destroy 11 units: add --yes if that is meant\n"));
    assertThat(terminal().run("destroy", "w@1*"))
        .isEqualTo(
            new Ran(1, "", "Error: this would destroy 6 units: add --yes if that is meant\n"));
    assertThat(left()).isEqualTo(UNITS);
    assertThat(terminal().run(destroy(11, "--yes")).code()).isZero();
    assertThat(terminal().run("destroy", "--yes", "w@*").code()).isZero();
    assertThat(left()).isZero();
    assertThat(daemon.unit("db.service")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "y\n", "yes\n", "1\n", "144\n"})
  void anotherAnswerThanTheNumberDestroysNothing(String answer) {
    Ran ran = terminal().typing(answer).run(destroy(14));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("w@1.service\nw@2.service\n")
        .endsWith("and 4 more\nDestroy 14 units? Type the number: Nothing was destroyed.\n");
    assertThat(left()).isEqualTo(UNITS);
  }

  @Test
  void theNumberIsTheAnswer() {
    Ran ran = terminal().typing("14\n").run(destroy(14));
    assertThat(ran.code()).isZero();
    assertThat(left()).isZero();
    assertThat(terminal().typing("1\n").run("destroy", "d*").out())
        .isEqualTo("Destroyed db.service\n");
  }

  /** As with names: what was asked for is so. */
  @Test
  void aPatternThatMatchesNothingIsNoFailure() {
    assertThat(terminal().run("destroy", "nosuch*"))
        .isEqualTo(new Ran(0, "", "Units not found in registry: nosuch*\n"));
  }
}

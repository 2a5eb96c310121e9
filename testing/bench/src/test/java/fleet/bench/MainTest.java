package fleet.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.bench.figure.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Tells one figure, or fails. */
  private record Example(String name, boolean works) implements Benchmark {
    @Override
    public String summary() {
      return "an example";
    }

    @Override
    public void run(Report report) {
      report.add("speed", 3, "s");
      if (!works) {
        throw new AssertionError("the machine melted");
      }
    }
  }

  private int run(String... arguments) {
    List<Benchmark> benchmarks = List.of(new Example("good", true), new Example("bad", false));
    return new Main(
            benchmarks, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8))
        .run(List.of(arguments));
  }

  @Test
  void printsTheFiguresOfTheOneThatIsNamed() {
    assertThat(run("good")).isZero();
    assertThat(out.toString(UTF_8)).isEqualTo("speed 3 s\n");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void writesThemAsJsonBesides(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("figures.json");
    assertThat(run("good", "--json", json.toString())).isZero();
    assertThat(out.toString(UTF_8)).isEqualTo("speed 3 s\n");
    assertThat(Files.readString(json))
        .contains("{\"name\": \"speed\", \"value\": 3, \"unit\": \"s\"}");
  }

  @Test
  void anUnknownNameListsTheOthers() {
    assertThat(run("ugly")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("'ugly'", "good", "bad", "an example");
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void noNameListsThemToo() {
    assertThat(run()).isZero();
    assertThat(out.toString(UTF_8)).contains("good", "bad");
  }

  @Test
  void unknownOptionsAreNamed() {
    assertThat(run("good", "--jsno", "x")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--jsno");
    assertThat(run("good", "--json")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void aBenchmarkThatFailsSaysWhy() {
    assertThat(run("bad")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).isEqualTo("bench bad: the machine melted\n");
  }

  @Test
  void aFileThatCannotBeWrittenIsKnownBeforeTheMeasuring(@TempDir Path folder) {
    assertThat(run("good", "--json", folder.toString())).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains(folder.toString());
    assertThat(out.toString(UTF_8)).isEmpty();
  }
}

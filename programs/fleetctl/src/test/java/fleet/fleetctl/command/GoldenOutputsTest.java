package fleet.fleetctl.command;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The outputs of commands about one fixed cluster, as a pipe and as a terminal of 80 columns get
 * them. They stand in src/test/resources/golden, a file for each command line. After a change that
 * is meant, run this with -Dgolden.write=true, and read what has changed.
 */
final class GoldenOutputsTest extends ServedCommandTest {

  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
  private static final Pattern AGO = Pattern.compile("@(\\d+)@");
  private static final int COLUMNS = 80;

  private final Map<String, String> answers = answers();

  /** Each line has a path and its answer; @200@ in it is the time 200 seconds ago. */
  private static Map<String, String> answers() {
    try (Stream<String> lines = Files.lines(FOLDER.resolve("cluster.txt"))) {
      Map<String, String> answers = new TreeMap<>();
      lines
          .filter(line -> line.startsWith("/"))
          .map(line -> line.split(" ", 2))
          .forEach(line -> answers.put(line[0], line[1]));
      return answers;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path().substring("/fleet/v1".length());
    String unit =
        Stream.of(request.query().split("&", -1))
            .filter(parameter -> parameter.startsWith("unitName="))
            .map(parameter -> "?" + parameter)
            .findFirst()
            .orElse("");
    String all = request.query().contains("all=1") ? "?all=1" : "";
    String answer = answers.getOrDefault(path + unit + all, answers.getOrDefault(path + unit, ""));
    return answer.isEmpty()
        ? FakeHttpServer.reply(
            out, 404, "{\"error\":{\"code\":404,\"message\":\"unit does not exist\"}}")
        : FakeHttpServer.reply(
            out,
            200,
            AGO.matcher(answer)
                .replaceAll(
                    ago -> Instant.now().minusSeconds(Long.parseLong(ago.group(1))).toString())
                .replace("\\n", "\n"),
            "Fleet-Exit-Status: 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list-machines",
        "list-machines --full",
        "list-units",
        "list-units --full",
        "list-units -o wide",
        "list-unit-files",
        "list-unit-files -o wide",
        "status",
        "status api@1.service",
        "status db.service",
        "why batch.service",
        "why api@1.service",
        "cat api@1.service",
        "operations",
        "config",
        "is-active api@1.service db.service",
        "list-unit-files --full",
        "list-units nosuch.service",
        "status nosuch.service",
        "why nosuch.service",
        "cat nosuch.service",
        "stop nosuch.service",
        "destroy nosuch.service",
        "list-units --fields=nosuch",
        "strat api@1.service"
      })
  void isAsItWas(String line) throws IOException {
    String[] words = line.split(" ", -1);
    Ran piped = terminal().run(words);
    Ran shown = terminal().ofSize(24, COLUMNS).run(words);
    if (!line.matches("why .*|.* (-o wide|--full)")) {
      // Sentences below a table may be longer.
      assertThat(shown.out().lines().filter(text -> !text.endsWith(".")))
          .allMatch(text -> text.length() <= COLUMNS);
    }
    String now =
        "$ fleetctl %s | cat\n%s\n$ fleetctl %s\n%s"
            .formatted(line, text(piped), line, text(shown));

    Path file = FOLDER.resolve(line.replaceAll("[^a-z0-9]+", "-") + ".txt");
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(file, now);
    }
    assertThat(now)
        .as("%s; if the change is meant, run this with -Dgolden.write=true", file)
        .isEqualTo(Files.readString(file));
  }

  /** Lines for standard error begin with an exclamation mark. */
  private static String text(Ran ran) {
    return ran.out()
        + ran.err().lines().map(line -> "! " + line + "\n").collect(joining())
        + "exit "
        + ran.code()
        + "\n";
  }
}

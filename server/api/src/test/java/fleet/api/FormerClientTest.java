package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitView;
import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The fleetctl of fleet 1.0 is answered as it expects: plays its requests, which stand in
 * fleetctl-1.0.txt with their answers.
 */
class FormerClientTest {

  /** Fields of fleet 2, which stand behind those of an object. */
  private static final String FURTHER = "(?:,\"\\w+\":[^{}\\[\\]]*)?";

  private static final String COMMAND = "# ";

  /** The lines of one command, from its title. */
  record Conversation(String title, List<String> lines) {
    @Override
    public String toString() {
      return title;
    }
  }

  private static List<Conversation> conversations() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(FormerClientTest.class.getResourceAsStream("fleetctl-1.0.txt"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.split("\n\n", -1))
          .filter(part -> part.startsWith(COMMAND))
          .map(part -> part.lines().toList())
          .map(lines ->
              new Conversation(
                  lines.getFirst().substring(COMMAND.length()), lines.subList(1, lines.size())))
          .toList();
    }
  }

  static List<Arguments> conversationsAndServers() throws IOException {
    return conversations().stream()
        .flatMap(
            one -> Stream.of(ApiUnderTest.Asked.values()).map(asked -> Arguments.of(one, asked)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("conversationsAndServers")
  void eachRequestIsAnsweredAsFleet1Did(Conversation conversation, ApiUnderTest.Asked asked)
      throws IOException {
    try (ApiUnderTest api = new ApiUnderTest(asked);
        RawConnection wire = api.connect()) {
      Optional<Reply> reply = Optional.empty();
      for (String line : conversation.lines()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "*" -> happen(api.cluster, words);
          case ">" -> reply = Optional.of(ask(wire, line.split(" ", 4)));
          case "<" -> expect(line.split(" ", 3), reply.orElseThrow());
          default -> throw new IllegalArgumentException(line);
        }
      }
    }
  }

  /** Each of its commands that asks the API. */
  @Test
  void noCommandIsLeftOut() throws IOException {
    assertThat(conversations().stream().map(one -> one.title().split("[ :]", -1)[0]))
        .contains(
            "submit",
            "load",
            "start",
            "stop",
            "unload",
            "destroy",
            "restart",
            "cat",
            "status",
            "journal",
            "ssh",
            "list-machines",
            "list-units",
            "list-unit-files");
  }

  private static void happen(FakeCluster cluster, String[] words) {
    String name = words[2];
    switch (words[1]) {
      case "machine" -> cluster.add(new Machine(name, "b", words[3], metadata(words), "2.0.0"));
      case "unit" -> cluster.add(FakeUnits.view(name, state(words[3])));
      case "global" -> cluster.add(FakeUnits.global(name));
      case "on" -> cluster.add(on(cluster.unit(UnitName.of(name)).orElseThrow(), words));
      case "state" -> cluster.add(FakeUnits.state(name, words[3]));
      default -> throw new IllegalArgumentException(words[1]);
    }
  }

  private static Map<String, String> metadata(String[] words) {
    Map<String, String> metadata = new TreeMap<>();
    Stream.of(words)
        .filter(word -> word.contains("="))
        .map(word -> word.split("=", 2))
        .forEach(pair -> metadata.put(pair[0], pair[1]));
    return metadata;
  }

  private static DesiredState state(String word) {
    return DesiredState.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static UnitView on(UnitView unit, String[] words) {
    return new UnitView(
        unit.unit(),
        Optional.of(state(words[3])),
        Optional.of(words[4]),
        false,
        "",
        false,
        "",
        Optional.empty(),
        "");
  }

  private static Reply ask(RawConnection wire, String[] parts) throws IOException {
    String body = parts.length > 3 ? parts[3] + "\n" : "";
    String[] headers =
        body.isEmpty() ? new String[0] : new String[] {"Content-Type: application/json"};
    return wire.request(parts[1], "/fleet/v1" + parts[2], body, headers);
  }

  private static void expect(String[] parts, Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(Integer.parseInt(parts[1]));
    assertThat(reply.header("server")).startsWith("fleetd/");
    if (parts.length < 3) {
      assertThat(reply.body()).isEmpty();
    } else {
      assertThat(reply.header("content-type")).isEqualTo("application/json");
      assertThat(reply.body())
          .matches(Pattern.quote(parts[2]).replace("}", "\\E" + FURTHER + "\\Q}"));
    }
  }
}
